import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findBreaches } from './import-rules.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

describe('the import rules', () => {
  it('hold in src', () => {
    expect(findBreaches(join(root, 'src'))).toEqual([]);
  });

  it('allow what the architecture allows', () => {
    expect(findBreaches(fixture('good'))).toEqual([]);
  });

  it('forbid a cycle', () => {
    expect(findBreaches(fixture('cycle'))).toEqual(['cycle: util/a.ts -> util/b.ts -> util/c.ts -> util/a.ts']);
  });

  it('forbid an edge against the flow', () => {
    expect(findBreaches(fixture('forbidden-edge'))).toEqual(['ops/o.ts must not import program/p.ts']);
  });

  it('forbid a Node-only import where a browser must run', () => {
    expect(findBreaches(fixture('node-in-browser'))).toEqual([
      'program/load.ts must run in a browser and imports node:fs',
    ]);
  });

  it('forbid a package where a browser must run', () => {
    expect(findBreaches(fixture('package-in-browser'))).toEqual(['ops/s.ts must not need any package and imports zod']);
  });

  it('forbid Redis outside its file', () => {
    expect(findBreaches(fixture('redis'))).toEqual(['cli/r.ts imports ioredis, which only islands/redis.ts may']);
  });

  it('make a Node-only global a compile error where a browser must run', () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', fixture('node-global')], { encoding: 'utf8' });
    expect(stdout).toContain("Cannot find name 'process'");
  });
});
