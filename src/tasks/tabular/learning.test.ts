// Programs of the paper learn from tables.
import { describe, expect, it } from 'vitest';
import type { Task } from '../../engine/engine.js';
import { wasmEngine } from '../../engine/wasm/engine.js';
import { builtin } from '../../program/builtin.js';
import { RandomStream } from '../../util/random.js';
import type { Table } from './table.js';
import { tabularTask } from './tabular.js';

function fitnessOf(name: string, task: Task, epochs: number): number {
  const evaluator = wasmEngine('f64').prepare([task], { epochs });
  const [outcome] = evaluator.evaluate(builtin(name)!.program);
  evaluator.dispose();
  return outcome!.fitness;
}

const COLOURS = { red: 0, green: 40_000, blue: -25_000 };
type Colour = keyof typeof COLOURS;

/** Houses whose price is linear in all that is known of them, in units of their own. */
function houses(count: number, answer: (price: number) => string, missing = 0): Table {
  const rows = Array.from({ length: count }, (_, k) => {
    const random = new RandomStream(11, k);
    const size = 120 + 30 * random.gaussian();
    const year = 1950 + random.integer(70);
    const colour = Object.keys(COLOURS)[random.integer(3)] as Colour;
    const price = 300_000 + 2000 * (size - 120) + 500 * (year - 1985) + COLOURS[colour];
    const cell = (text: string) => (random.uniform() < missing ? 'NA' : text);
    return [`house ${k}`, cell(size.toFixed(2)), cell(String(year)), cell(colour), answer(price)];
  });
  return { name: 'houses.csv', header: ['name', 'size', 'year', 'colour', 'answer'], rows };
}

describe('a linear table', () => {
  it('is learned by linear regression', () => {
    const { task } = tabularTask(houses(400, String), { target: 'answer' }, 1);
    expect(fitnessOf('paper/linear', task, 5)).toBeGreaterThan(0.99);
  });

  it('is learned as well as it can be where cells are missing', () => {
    const { task } = tabularTask(houses(400, String, 0.03), { target: 'answer' }, 1);
    expect(fitnessOf('paper/linear', task, 5)).toBeGreaterThan(0.8);
  });

  it('is learned from random sums of its columns', () => {
    const { task, report } = tabularTask(houses(400, String), { target: 'answer', features: 4 }, 1);
    expect(report.fit).toBe('projected');
    expect(fitnessOf('paper/linear', task, 5)).toBeGreaterThan(0.7);
  });
});

describe('a table of classes', () => {
  it('is learned by logistic regression if a plane separates them', () => {
    const table = houses(400, (price) => (price > 300_000 ? 'dear' : 'cheap'));
    const { task, report } = tabularTask(table, { target: 'answer' }, 1);
    expect(report.target).toMatchObject({ kind: 'binary', why: 'text, 2 different' });
    expect(fitnessOf('paper/logistic', task, 10)).toBeGreaterThan(0.95);
  });
});
