// `evozero reproduce` as a user runs it: every experiment of the paper at a scale of seconds, with its page, killed and resumed, on a
// Redis; and the programs of the gallery, which score what they say.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { readGallery } from '../../src/program/builtin.js';
import { REPRODUCTIONS } from '../../src/reproduce/experiments.js';
import type { Findings } from '../../src/reproduce/findings.js';
import { evozero, startEvozero } from '../support/cli.js';
import { emptyFolder } from '../support/folders.js';
import { startRedis } from '../support/redis.js';

const NAMES = REPRODUCTIONS.map(({ name }) => name);
const smoke = (name: string, out: string) => ['reproduce', name, '--scale', 'smoke', '--out', out];

/** What must be the same whenever and wherever it is done. */
function withoutTimes({ seconds: _, searchCpuSeconds: __, date: ___, tables, ...rest }: Findings): unknown {
  const isTime = (column: string) => /CPU|per second/.test(column);
  return {
    ...rest,
    tables: tables.map(({ columns, rows, ...table }) => ({
      ...table,
      rows: rows.map((row) => row.filter((_cell, k) => !isTime(columns[k]!))),
    })),
  };
}

function readFindings(place: string): Findings {
  return JSON.parse(readFileSync(join(place, 'findings.json'), 'utf8'));
}

describe('every experiment of the paper', () => {
  it.each(NAMES)('%s', (name) => {
    const place = emptyFolder();
    const { status, stdout, stderr } = evozero(smoke(name, place));
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    const findings = readFindings(place);
    expect(findings).toMatchObject({ name, scale: 'smoke', seed: 0 });
    for (const { claim, paper, ours, verdict } of findings.claims) {
      expect(stdout).toContain(claim);
      expect(`${paper}${ours}`).not.toMatch(/undefined|NaN|null/);
      expect(verdict, 'numbers of this scale mean nothing').toBe('open');
    }
    const page = readFileSync(join(place, 'report.html'), 'utf8');
    expect(page).toContain(findings.question.slice(0, 20));
    expect(page).not.toMatch(/undefined|NaN|<script|https?:\/\/(?!www\.w3\.org)/);
    expect(page.match(/<svg /g)?.length ?? 0).toBeGreaterThanOrEqual(findings.figures.length);
    for (const table of findings.tables) {
      const csv = readFileSync(join(place, `${table.name}.csv`), 'utf8');
      expect(csv.trimEnd().split('\n')).toHaveLength(table.rows.length + 1);
    }
    for (const { name: found } of findings.programs) {
      expect(evozero(['show', join(place, 'programs', `${found}.alg`)]).status).toBe(0);
    }
  });
});

describe('a reproduction', () => {
  it('that was killed goes on where it was, to the same findings', async () => {
    const [whole, killed] = [emptyFolder(), emptyFolder()];
    expect(evozero(smoke('fast-training', whole)).status).toBe(0);
    let kills = 0;
    for (; kills < 20 && !existsSync(join(killed, 'findings.json')); kills++) {
      const { child, done } = startEvozero(smoke('fast-training', killed));
      await Promise.race([setTimeout(900 + 150 * kills), done]);
      child.kill('SIGKILL');
      await done;
    }
    expect(kills).toBeGreaterThan(1);
    expect(evozero(smoke('fast-training', killed)).status).toBe(0);
    expect(withoutTimes(readFindings(killed))).toEqual(withoutTimes(readFindings(whole)));
  });

  it('that was interrupted says how to go on, and does', async () => {
    const place = emptyFolder();
    const flags = ['--data', process.env.EVOZERO_DATA!, '--workers', '1'];
    const { child, done } = startEvozero([...smoke('fast-training', place), ...flags, '--json']);
    while (!existsSync(join(place, 'runs'))) await setTimeout(50);
    child.kill('SIGHUP');
    const { status, stdout, stderr } = await done;
    expect({ status, stdout }).toEqual({ status: 129, stdout: '' });
    const [, hint] = /^Stopped; everything is kept in .*\.\nGo on with: {2}.*evozero(?: --)? (reproduce .*)$/m.exec(
      stderr,
    )!;
    expect(hint!.split(' ').sort()).toEqual([...smoke('fast-training', place), ...flags].sort());
    expect(evozero(hint!.split(' ')).status).toBe(0);
    // Where the data lie does not decide what is found.
    expect(evozero(smoke('fast-training', place)).status).toBe(0);
    expect(readFindings(place)).toMatchObject({ command: 'evozero reproduce fast-training --scale smoke' });
  });

  it('searches on the workers of a Redis', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const worker = startEvozero(['worker', '--redis', redis.url, '--slots', '1']);
    onTestFinished(async () => {
      worker.child.kill('SIGKILL');
      await worker.done;
    });
    const place = emptyFolder();
    const { done } = startEvozero([...smoke('fast-training', place), '--redis', redis.url]);
    const { status, stderr } = await done;
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(readFindings(place).tables[0]!.rows).toHaveLength(4);
  });

  it('does not fill the directory of another', () => {
    const place = emptyFolder();
    expect(evozero(smoke('projected', place)).status).toBe(0);
    const { status, stderr } = evozero(smoke('throughput', place));
    expect(status).toBe(2);
    expect(stderr).toMatch(/belongs to another reproduction; choose another --out/);
  });

  it('has a name', () => {
    const { status, stderr } = evozero(['reproduce', 'dificulty']);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/no experiment "dificulty"; did you mean difficulty\?/),
    });
    const { programs: _, ...listed } = JSON.parse(evozero(['reproduce', '--json']).stdout);
    expect(listed.reproductions.map(({ name }: { name: string }) => name)).toEqual(NAMES);
  });
});

describe('the gallery', () => {
  test('has every file of its folder', () => {
    const files = readdirSync(new URL('../../src/program/builtin/gallery', import.meta.url));
    expect(readGallery().map(({ name }) => `${name.slice('gallery/'.length)}.alg`)).toEqual(files.sort());
    expect(evozero(['gallery']).stdout).toContain(readGallery()[0]!.about);
  });

  test.each(readGallery())('$name scores what it says', ({ name, score, measured, origin, about }) => {
    expect(about).not.toBe('');
    expect(origin).toMatch(/^evozero (run|reproduce) /);
    expect(measured).toMatch(`eval ${name} `);
    const { status, stdout, stderr } = evozero([...measured.split(' '), '--json']);
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout).mean).toBeCloseTo(score, 5);
  });
});
