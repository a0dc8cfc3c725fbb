import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;

interface Locked {
  readonly hasInstallScript?: boolean;
  readonly license?: string;
}

const locked = Object.entries(JSON.parse(read('package-lock.json')).packages as Record<string, Locked>).filter(
  ([path]) => path !== '',
);

/** Anybody may use, change and pass on what has one of these; MPL-2.0 is of tools only, and of none of our own files. */
const RUN_TIME_LICENCES = ['MIT', 'ISC', '0BSD', 'BSD-3-Clause', 'Apache-2.0'];
const LICENCES = [...RUN_TIME_LICENCES, 'MPL-2.0', 'MIT OR Apache-2.0'];

/** An optional part of what bullmq packs messages with, which does without it where scripts are ignored, as the set-up does. */
const DISPENSABLE = ['node_modules/msgpackr-extract'];

/** Packages of other systems are in the lock, but not on the disk. */
const installed = locked.flatMap(([path]) =>
  existsSync(new URL(`../../${path}/package.json`, import.meta.url))
    ? [{ path, licence: (JSON.parse(read(`${path}/package.json`)) as Locked).license }]
    : [],
);

/** Of a package and everything that it needs, by where Node finds it. */
function needed(name: string, from: string, seen: Set<string>): Set<string> {
  const places = [`${from}/node_modules/${name}`, `node_modules/${name}`];
  const path = places.find((place) => installed.some((one) => one.path === place));
  if (path === undefined || seen.has(path)) return seen;
  seen.add(path);
  const own = JSON.parse(read(`${path}/package.json`)) as { dependencies?: Record<string, string> };
  for (const next of Object.keys(own.dependencies ?? {})) needed(next, path, seen);
  return seen;
}

describe('dependencies', () => {
  it.each([...Object.keys(dependencies!), ...Object.keys(devDependencies!)])('%s is accounted for', (name) => {
    expect(read('docs/dependencies.md')).toContain(`\`${name}\``);
  });

  it.each(Object.entries({ ...dependencies, ...devDependencies }))('%s has an exact version', (_, version) => {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('need no scripts when they are installed', () => {
    const scripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
    expect(scripts.filter((path) => !DISPENSABLE.includes(path))).toEqual([]);
  });

  it('may be used by anybody', () => {
    expect(installed.length).toBeGreaterThan(50);
    expect(installed.filter(({ licence }) => !LICENCES.includes(licence ?? ''))).toEqual([]);
    const shipped = new Set(Object.keys(dependencies!).flatMap((name) => [...needed(name, '', new Set())]));
    expect(shipped.size).toBeGreaterThan(Object.keys(dependencies!).length);
    const strict = installed.filter(({ path, licence }) => shipped.has(path) && !RUN_TIME_LICENCES.includes(licence!));
    expect(strict).toEqual([]);
  });
});
