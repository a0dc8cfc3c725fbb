import { describe, expect, it } from 'vitest';
import { LocalField } from '../../experiment/local-field.js';
import type { Table } from '../../tasks/tabular/table.js';
import { deriveSeed, RandomStream } from '../../util/random.js';
import { localJudge } from '../judge.js';
import { type FitRequest, type FitServices, fitTable } from './fit.js';
import { holdOut } from './held-out.js';
import { predictTable, readTruth } from './model.js';

const services = (stages: string[] = []): FitServices => ({
  makeField: (config, openTasks) => new LocalField(config, openTasks),
  makeJudge: (tasks) => localJudge(tasks, { epochs: 1, precision: 'f64' }),
  isOver: () => false,
  onSearch: () => {},
  onStage: (stage) => stages.push(stage),
});

const random = new RandomStream(5);
const ROWS = 60;
const rows = Array.from({ length: ROWS }, (_, k) => {
  const [a, b] = [random.gaussian(), random.gaussian()];
  const word = k % 3 === 0 ? 'up' : 'down';
  const y = 100 + 20 * a - 10 * b + (word === 'up' ? 15 : 0) + random.gaussian();
  return { a: String(a), b: String(b), word, y: String(y), size: a > b ? 'large' : 'small' };
});

function table(target: 'y' | 'size', change = (_row: number, cells: string[]) => cells): Table {
  return {
    name: 'made',
    header: ['a', 'word', 'b', target],
    rows: rows.map((row, k) => change(k, [row.a, row.word, row.b, row[target]])),
  };
}

function request(of: Table, target: string): FitRequest {
  return { table: of, options: { target }, seed: 3, islands: 1, maxAlgorithms: 200, fromScratch: false };
}

describe('fitting numbers', async () => {
  const stages: string[] = [];
  const fit = await fitTable(request(table('y'), 'y'), services(stages));

  it('finds what is linear, in the units of the target', () => {
    for (const { score } of [fit.evolved, fit.baselines[0]!]) {
      if (score?.kind !== 'numbers') throw new Error('no score');
      expect(score.r2).toBeGreaterThan(0.9);
      expect(score.rmse).toBeLessThan(10);
      expect(score.rows).toBe(12);
    }
    expect(fit.baselines.map(({ name }) => name)).toEqual(['linear regression', 'two-layer network']);
    expect(fit.algorithms).toBe(200);
  });

  it('tells what it does', () => {
    expect(stages.slice(0, 3)).toEqual(['searching', 'selecting', 'tuning evolved']);
    expect(stages.at(-1)).toBe('training two-layer network');
  });

  it('never looks at the rows that are held out', async () => {
    const { heldOut } = holdOut(table('y'), { target: 'y' }, deriveSeed(3, 1));
    const isHeldOut = new Set(heldOut.rows.map(([a]) => a));
    const spoilt = table('y', (_, [a, word, b, y]) =>
      isHeldOut.has(a!) ? [`${Number(a) * 1000}`, word!, '-7', '1e6'] : [a!, word!, b!, y!],
    );
    const { evolved, baselines } = await fitTable(request(spoilt, 'y'), services());
    expect(evolved.model).toEqual(fit.evolved.model);
    expect(baselines.map(({ model }) => model)).toEqual(fit.baselines.map(({ model }) => model));
    expect(evolved.score).not.toEqual(fit.evolved.score);
  });
});

describe('fitting classes', async () => {
  const fit = await fitTable({ ...request(table('size'), 'size'), fromScratch: true }, services());

  it('scores what the model predicts', () => {
    const { heldOut } = holdOut(table('size'), { target: 'size' }, deriveSeed(3, 1));
    const { model, score } = fit.evolved;
    const truth = readTruth(model.encoding, heldOut);
    const right = predictTable(model, heldOut).filter(({ prediction }, k) => prediction === truth[k]).length;
    expect(score).toMatchObject({ kind: 'classes', rows: truth.length, accuracy: right / truth.length });
  });

  it('has baselines that learn', () => {
    for (const { score } of fit.baselines) {
      if (score?.kind !== 'classes') throw new Error('no score');
      expect(score.accuracy).toBeGreaterThan(0.8);
    }
  });
});
