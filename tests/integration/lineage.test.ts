// `evozero lineage` in real processes, on runs that the real command has made.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compiled, evozero } from '../support/cli.js';
import { temporaryFolder } from '../support/folders.js';
import { expectMistake } from '../support/mistake.js';

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);
const read = (run: string, file: string) => readFileSync(join(path(run), file), 'utf8');

/** A copy of the run without a result, as it is while it goes on. */
function copyUnfinished(name: string, change: (directory: string) => void = () => {}): string {
  cpSync(path('run'), path(name), { recursive: true });
  rmSync(join(path(name), 'result.json'));
  change(path(name));
  return path(name);
}

function lineage(directory: string, ...flags: string[]): string {
  const { status, stdout, stderr } = evozero(['lineage', directory, ...flags]);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout;
}

interface Step {
  readonly step: number;
  readonly id: number;
  readonly before: number | null;
  readonly fitness: number;
  readonly gain: number | null;
  readonly isSmall: boolean;
  readonly origin: string;
  readonly parent: { readonly id: number } | null;
  readonly changes: readonly { readonly function: string; readonly kind: string; readonly text: string }[];
  readonly program: string;
}

beforeAll(() => {
  compiled('cli/main.js');
  const made = evozero(['run', 'linear', '--seed', '4', '--workers', '1', '--out', path('run'), '--json']);
  expect(made.status).toBe(0);
}, 120_000);

describe('evozero lineage', () => {
  it('tells every step of the selected program in JSON', () => {
    const { steps, ...rest } = JSON.parse(lineage(path('run'), '--json')) as { steps: Step[] };
    expect(rest).toEqual({ run: path('run'), status: 'finished', isWhole: true });
    const { lineage: recorded, searchFitness } = JSON.parse(read('run', 'result.json'));
    expect(steps.map(({ id, fitness, program }) => ({ id, fitness, program }))).toEqual(
      recorded.map(({ id, fitness, program }: Step) => ({ id, fitness, program })),
    );
    expect(steps[0]).toMatchObject({ step: 1, origin: 'initial', parent: null, before: null, gain: null, changes: [] });
    for (const [k, { before, fitness, gain, changes, parent }] of steps.entries()) {
      if (k === 0) continue;
      expect(before).toBe(steps[k - 1]!.fitness);
      expect(gain).toBe(fitness - before!);
      expect(parent).not.toBeNull();
      expect(changes.length).toBeGreaterThan(0);
    }
    expect(steps.at(-1)!.program).toBe(read('run', 'best.alg'));
    expect(steps.at(-1)!.fitness).toBe(searchFitness);
  });

  it('prints the path, with what gained little folded unless --all asks for it', () => {
    const { steps } = JSON.parse(lineage(path('run'), '--json')) as { steps: Step[] };
    const numbers = (text: string) => [...text.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
    const [short, all] = [lineage(path('run')), lineage(path('run'), '--all')];
    expect(numbers(all)).toEqual(steps.map(({ step }) => step));
    expect(numbers(short)).toEqual(steps.filter(({ isSmall }) => !isSmall).map(({ step }) => step));
    expect(steps.some(({ isSmall }) => isSmall)).toBe(true);
    expect(short).toMatch(/\d+ steps? that gained next to nothing, 0\.\d+ → 0\.\d+ \(--all shows them\)/);
    expect(all).not.toContain('next to nothing');
    expect(all).toContain('# no effect');
    expect(short).not.toContain('# no effect');
    expect(short).toMatch(/^\S+: linear, seed 4, finished\n\d+ steps from fitness 0\.\d+ to 0\.\d+\n/);
    expect(short).not.toContain('\u001b');
  });

  it('calls out the linear model where it appears', () => {
    const short = lineage(path('run'));
    expect(short).toContain('★ linear model: ');
  });

  it('knows the line of a run that goes on from its events', () => {
    const answer = JSON.parse(lineage(copyUnfinished('going'), '--json'));
    const whole = JSON.parse(lineage(path('run'), '--json'));
    expect(answer.status).toBe('stopped');
    expect(answer.steps.length).toBeGreaterThan(0);
    const ids = whole.steps.map(({ id }: Step) => id);
    expect(answer.steps.map(({ id }: Step) => id)).toEqual(ids.slice(-answer.steps.length));
    expect(answer.isWhole).toBe(answer.steps.length === ids.length);
  });
});

describe('runs that cannot tell', () => {
  it.each([
    ['a directory that is none', () => path('nowhere'), /nowhere: no run directory/],
    ['a built-in program', () => 'paper/evolved', /paper\/evolved: no run directory/],
    [
      'a run without events',
      () => copyUnfinished('silent', (directory) => rmSync(join(directory, 'events.jsonl'))),
      /silent: how its program came about is not recorded \(no best program in events\.jsonl\)/,
    ],
    [
      'a run that has found nothing',
      () =>
        copyUnfinished('nothing', (directory) => {
          writeFileSync(join(directory, 'events.jsonl'), '');
          rmSync(join(directory, 'best.alg'));
        }),
      /nothing: this run has no program yet/,
    ],
    [
      'another format',
      () =>
        copyUnfinished('old', (directory) => {
          const config = JSON.parse(readFileSync(join(directory, 'config.json'), 'utf8'));
          writeFileSync(join(directory, 'config.json'), JSON.stringify({ ...config, format: 1 }));
        }),
      /old: made by evozero .* in format 1; this evozero reads format 2/,
    ],
  ])('%s', (_, make, message) => {
    expectMistake(['lineage', make()], message);
  });

  it('a damaged lineage is a failure, in one line', () => {
    const directory = copyUnfinished('damaged', (copy) => {
      const events = join(copy, 'events.jsonl');
      writeFileSync(events, readFileSync(events, 'utf8').replaceAll('def Setup', 'def Upset'));
    });
    const { status, stdout, stderr } = evozero(['lineage', directory]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^evozero: \S+damaged: damaged, a step of its lineage is no program: [^\n]+\n$/);
  });
});
