import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { describe, expect, it, test } from 'vitest';
import { pickCases } from '../../tests/support/amount.js';
import { BEGUN } from '../../tests/support/run-status.js';
import { BUILTIN_TEXTS } from '../program/builtin-texts.js';
import { plainLine, type RunStatus, renderRun } from './run-view.js';

const EARLY: RunStatus = { ...BEGUN, about: 'Linear regression on 8 features' };

const PROGRAM = `def Setup():
  s2 = 0.05

def Predict(v0):
  s1 = dot(v0, v1)

def Learn(v0, s0):
  s3 = s0 - s1
  s3 = s2 * s3
  v2 = s3 * v0
  v1 = v1 + v2
`;

const LATE: RunStatus = {
  ...EARLY,
  experiment: 2,
  experiments: 10,
  algorithms: 1_250_000,
  trainSteps: 12_345_678_901,
  algorithmsPerSecond: 310_234,
  stepsPerSecond: 4_200_000,
  canonicalHits: 512_500,
  fingerprintHits: 150_000,
  evaluated: 500_000,
  cut: 63_000,
  overBudget: 100,
  hurdle: 0.81,
  hasFingerprint: true,
  hasHurdles: true,
  bestFitness: 0.98321,
  bestHistory: [0.1, 0.5, 0.9, 0.98321],
  selectFitness: 0.9991,
  target: 0.9999,
  elapsedSeconds: 240,
  progress: 0.41,
  secondsLeft: 480,
  program: PROGRAM,
  programAge: 12_345,
  mutation: 'insert-instruction',
  parentFitness: 0.93,
  directory: 'runs/linear-0',
};

const [plain, colored] = [pc.createColors(false), pc.createColors(true)];

function linesOf(status: RunStatus, columns: number, rows: number): string[] {
  return renderRun(status, { columns, rows }, plain).split('\n');
}

describe('the view', () => {
  it('shows everything where there is room', () => {
    expect(linesOf(LATE, 120, 40)).toEqual([
      'linear, seed 0  experiment 2 of 10  searching',
      'Linear regression on 8 features',
      '━━━━━━━━━━──────────────   41%  4 min elapsed  8 min left',
      '1,250,000 algorithms  310,000/s  12.3 G training steps  4.2 M/s',
      'canonical hits 41%  fingerprint hits 12%  evaluated 40%  cut 5.0%  hurdle 0.81  over budget <0.1%',
      'best 0.98321  ▁▄██  selected 0.9991 of 0.9999',
      '',
      'program  found 12,345 algorithms ago  by insert-instruction  parent 0.93',
      ...PROGRAM.trimEnd().split('\n'),
      '',
      'q stops and keeps everything; Ctrl-C too  runs/linear-0',
    ]);
  });

  it('keeps in a narrow and low terminal what matters most', () => {
    expect(linesOf(LATE, 40, 12)).toEqual([
      'linear, seed 0  experiment 2 of 10',
      '━━━━━━━━━━──────────────  8 min left',
      '1,250,000 algorithms  310,000/s',
      'fingerprint hits 12%  evaluated 40%',
      'best 0.98321  selected 0.9991 of 0.9999',
      'program  found 12,345 algorithms ago',
      'def Setup():',
      '  s2 = 0.05',
      'def Predict(v0):',
      '… 6 more lines',
      'q stops and keeps everything; Ctrl-C too',
    ]);
  });

  it('has the program, line by line, only where the numbers leave room', () => {
    expect(linesOf(LATE, 100, 8)[5]).toMatch(/^program {2}found/);
    expect(linesOf(LATE, 100, 9)[6]).toBe('… 9 more lines');
    expect(linesOf(LATE, 100, 16)).toContain('… 2 more lines');
    expect(linesOf(LATE, 100, 17)[14]).toBe('  v1 = v1 + v2');
    expect(linesOf(LATE, 100, 21)).not.toContain(LATE.about);
    expect(linesOf(LATE, 100, 22)).toContain(LATE.about);
    expect(linesOf(LATE, 100, 4).map((line) => line.split(' ')[0])).toEqual([
      'linear,',
      '━━━━━━━━━━──────────────',
      'best',
    ]);
    expect(linesOf(LATE, 100, 2)).toEqual(['linear, seed 0  experiment 2 of 10  searching']);
  });

  it('never leaves the terminal', () => {
    const long = { ...LATE, title: 'x'.repeat(200), about: 'y'.repeat(200), directory: '/z'.repeat(100) };
    const programs = [...pickCases(Object.values(BUILTIN_TEXTS), 5), ''];
    const statuses = [EARLY, LATE, long, ...programs.map((program) => ({ ...LATE, program }))];
    const outside: object[] = [];
    for (const status of statuses) {
      for (const columns of [1, 2, 23, 24, 40, 80, 100, 130]) {
        for (let rows = 1; rows <= 45; rows++) {
          const text = stripVTControlCharacters(renderRun(status, { columns, rows }, colored));
          const lines = text === '' ? [] : text.split('\n');
          const isInside = lines.length <= rows - 1 && lines.every((line) => line.length <= columns);
          if (!isInside) outside.push({ columns, rows, lines });
        }
      }
    }
    expect(outside).toEqual([]);
  });

  it('says the same with colours and without', () => {
    const size = { columns: 100, rows: 30 };
    const text = renderRun(LATE, size, colored);
    expect(text).toContain('\u001b[');
    expect(stripVTControlCharacters(text)).toBe(renderRun(LATE, size, plain));
  });

  it('has something to show before anything is known', () => {
    expect(linesOf({ ...EARLY, target: 0.99, secondsLeft: Number.POSITIVE_INFINITY }, 80, 24)).toEqual([
      'linear, seed 0  experiment 1  searching',
      'Linear regression on 8 features',
      '1 s elapsed',
      '0 algorithms  0/s  0 training steps  0/s',
      'canonical hits 0%  evaluated 0%',
      'best none yet  target 0.99',
      '',
      'q stops and keeps everything; Ctrl-C too',
    ]);
  });

  it('says which phase it is in, also where there is little room', () => {
    expect(linesOf({ ...LATE, phase: 'final' }, 40, 24)[0]).toBe('linear, seed 0  final evaluation');
    expect(linesOf({ ...LATE, phase: 'select', experiments: 1 }, 80, 24)[0]).toBe('linear, seed 0  selecting');
  });

  it('shows a part of a limit that is out of bounds as the nearest one', () => {
    expect(linesOf({ ...LATE, progress: 1.2 }, 80, 24)[2]).toContain('━━  100%');
    expect(linesOf({ ...LATE, progress: 0.9999 }, 80, 24)[2]).toContain('━━   99%');
    expect(linesOf({ ...LATE, progress: -1 }, 80, 24)[2]).toMatch(/^──.* 0%/);
  });

  it('lets nobody write control characters through a name', () => {
    const status = { ...LATE, title: 'a\u001b[2Jb', about: 'c\rd', directory: 'e\u0007f' };
    const text = renderRun(status, { columns: 120, rows: 40 }, plain);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(text).toContain('e\ufffdf');
  });
});

test.each([
  [0.99987, '0.99987'],
  [0.9999, '0.9999'],
  [0.999999871, '0.99999987'],
  [1 - 2 ** -53, '0.99999999999999989'],
  [1, '1'],
  [0.5, '0.5'],
  [0.123456, '0.12346'],
  [0, '0'],
])('the fitness %d shows its distance from 1', (bestFitness, shown) => {
  expect(plainLine({ ...EARLY, bestFitness })).toContain(`, best ${shown}, `);
});

test.each([
  [0.42, '0.42/s'],
  [999_940, '1,000,000/s'],
  [1_234_567, '1.2 M/s'],
  [345_678_901, '346 M/s'],
  [2.5e13, '25.0 T/s'],
])('the rate %d is short', (algorithmsPerSecond, shown) => {
  expect(plainLine({ ...EARLY, algorithmsPerSecond })).toContain(`(${shown})`);
});

test('the plain line says the same in one line', () => {
  const { experiments: _, ...unlimited } = LATE;
  expect(plainLine({ ...unlimited, elapsedSeconds: 12 })).toBe(
    'experiment 2, 1,250,000 algorithms (310,000/s), best 0.98321, selected 0.9991 of 0.9999, 12 s',
  );
  expect(plainLine({ ...LATE, phase: 'select', algorithms: 1 })).toBe(
    'experiment 2 of 10, selecting, 1 algorithm (310,000/s), best 0.98321, selected 0.9991 of 0.9999, 4 min',
  );
  expect(plainLine(EARLY)).toBe('experiment 1, 0 algorithms (0/s), 1 s');
});
