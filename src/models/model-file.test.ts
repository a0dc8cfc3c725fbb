import { createHash } from 'node:crypto';
import { mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { baselinesFor } from '../analysis/fit/baselines.js';
import { trainProgram } from '../analysis/fit/execute.js';
import { compareColumns, type Model, predictTable } from '../analysis/fit/model.js';
import { encodeAll } from '../analysis/fit/splits.js';
import type { Program } from '../program/program.js';
import type { Table } from '../tasks/tabular/table.js';
import { readTable } from '../tasks/tabular/tabular.js';
import { LOSS_OF_KIND, type TaskKind } from '../tasks/task-kind.js';
import { type ModelFacts, modelText, parseModel, readModel, writeModel } from './model-file.js';
import { predictionsCsv } from './predictions-csv.js';

const folder = mkdtempSync(join(tmpdir(), 'evozero-models-'));
const path = join(folder, 'm.json');

const facts: ModelFacts = {
  evozero: '0.1.0',
  name: 'evolved',
  training: { seed: 1, rows: 40, epochs: 2, algorithms: 7 },
  scores: [{ name: 'evolved', epochs: 2, crossValidation: 0.5, heldOut: null }],
};

const table: Table = {
  name: 't.csv',
  header: ['size', 'colour', 'number', 'pair', 'kind'],
  rows: Array.from({ length: 40 }, (_, k) => [
    k % 7 === 0 ? '' : String((k * 37) % 19),
    k % 6 === 0 ? '?' : ['red', 'green', 'blue', 'grey'][((k * k) % 11) % 4]!,
    String(k * 1.5),
    k % 2 === 0 ? 'no' : 'yes',
    String(k % 3),
  ]),
};

const multiclassTarget = { name: 'other', kind: 'multiclass', classes: ['a', 'b', 'c'] };

const TARGETS: Record<TaskKind, string> = { regression: 'number', binary: 'pair', multiclass: 'kind' };

function makeModel(kind: TaskKind, program: Program, features?: number): Model {
  const options = { target: TARGETS[kind], task: kind, ...(features !== undefined && { features }) };
  const all = encodeAll(readTable(table, options), 5);
  const setting = { features: all.encoding.features, loss: LOSS_OF_KIND[kind], seed: all.seed };
  const trained = trainProgram(program, setting, all.epochs(2))!;
  return { program, encoding: all.encoding, trained, seed: all.seed };
}

const [linear, network] = baselinesFor('regression').map(({ program }) => program) as [Program, Program];
const model = makeModel('regression', network);

describe.each([
  { kind: 'regression', program: network, features: undefined },
  { kind: 'regression', program: linear, features: 2 },
  { kind: 'binary', program: network, features: undefined },
  { kind: 'multiclass', program: baselinesFor('multiclass')[1]!.program, features: undefined },
] as const)('a model of $kind, $features features', ({ kind, program, features }) => {
  const made = makeModel(kind, program, features);

  it('predicts exactly what it predicted before it was written', () => {
    writeModel(path, made, facts);
    const { model: read, facts: said } = readModel(path);
    expect(said).toEqual(facts);
    expect(read).toEqual(made);
    expect(predictTable(read, table)).toEqual(predictTable(made, table));
  });

  it('does not mind the order of rows and columns, nor extra columns', () => {
    const turned: Table = {
      name: 'u.csv',
      header: ['extra', ...table.header].reverse(),
      rows: table.rows.map((row) => ['?!', ...row].reverse()).reverse(),
    };
    expect(predictTable(made, turned)).toEqual(predictTable(made, table).reverse());
    expect(compareColumns(made.encoding, turned)).toMatchObject({ extra: ['extra'], hasTarget: true });
  });

  it('has probabilities of classes', () => {
    for (const { probability } of predictTable(made, table)) {
      if (kind === 'regression') expect(probability).toBeUndefined();
      else expect(probability).toBeGreaterThan(kind === 'binary' ? 0.4999 : 0.1);
    }
  });
});

describe('another table', () => {
  it('lacks columns', () => {
    const other = { name: 'o.csv', header: ['size'], rows: [['1']] };
    expect(() => compareColumns(model.encoding, other)).toThrow(
      'o.csv: lacks the columns "colour", "pair", "kind", which the model needs',
    );
  });

  it('has values that are new, which count as missing', () => {
    const rowOf = (colour: string) => ['3', colour, '', 'no', '1'];
    const other = { ...table, rows: [rowOf('purple'), rowOf('?'), rowOf('red')] };
    expect(compareColumns(model.encoding, other).unseen).toEqual([{ column: 'colour', cells: 1 }]);
    const [purple, missing, red] = predictTable(model, other);
    expect(purple).toEqual(missing);
    expect(purple).not.toEqual(red);
  });
});

describe('numbers that JSON lacks', () => {
  it('are kept', () => {
    for (const value of [Number.NaN, -Infinity, Infinity, -0]) {
      const memory = model.trained.memory.map((each) =>
        each.type === 's' ? { ...each, values: Float64Array.of(value) } : each,
      );
      const { trained } = parseModel(modelText({ ...model, trained: { ...model.trained, memory } }, facts)).model;
      const scalar = trained.memory.find(({ type }) => type === 's')!;
      expect(scalar.values[0]).toBe(value);
    }
  });
});

describe('a model file', () => {
  const text = modelText(model, facts);
  // biome-ignore lint/suspicious/noExplicitAny: any change that somebody may make.
  type Changed = any;

  /** With a checksum that is right, as somebody hostile would write it. */
  function forge(change: (content: Changed) => void): string {
    const { checksum: _, ...content } = JSON.parse(text);
    change(content);
    const checksum = createHash('sha256').update(JSON.stringify(content)).digest('hex');
    return JSON.stringify({ ...content, checksum });
  }

  it('may be formatted otherwise', () => {
    expect(parseModel(JSON.stringify(JSON.parse(text))).model).toEqual(model);
    expect(parseModel(forge(() => {})).model).toEqual(model);
  });

  it('that was edited is refused', () => {
    const edited = text.replace(/"mean": ([\d.]+)/, '"mean": 1$1');
    expect(edited).not.toBe(text);
    expect(() => parseModel(edited)).toThrow('has another content than its checksum says');
  });

  it.each([
    ['cut off', text.slice(0, 500), 'is no JSON'],
    ['of something else', '{"a": 1}', 'is no model file'],
    ['of nothing', 'null', 'is no model file'],
    ['of the future', forge((c) => (c.version = 2)), 'is of version 2 of the format'],
    ['with a field more', forge((c) => (c.more = 1)), 'Unrecognized key'],
    ['with too many features', forge((c) => (c.encoding.features = 1e9)), 'encoding.features'],
    ['with too few features', forge((c) => (c.encoding.features = 2)), 'encoding.features: 2 are too few'],
    ['with a column twice', forge((c) => c.encoding.columns.push(c.encoding.columns[0])), 'two have the same name'],
    ['without a scaling', forge((c) => c.encoding.columns[1].scalings.pop()), 'another number of scalings'],
    ['without memory', forge((c) => c.memory.pop()), 'memory: expected m0, v1'],
    ['with a short memory', forge((c) => (c.memory[0].base64 = 'AAAA')), 'memory: m0 has not'],
    ['with a broken program', forge((c) => (c.program = 'def Setup(:')), 'program: line 1'],
    ['with another target', forge((c) => (c.encoding.target = multiclassTarget)), 'program: is not of the kind'],
  ])('%s is refused', (_, broken, message) => {
    expect(() => parseModel(broken)).toThrow(message);
  });

  it('with a program that would take all memory is refused', () => {
    const many = Array.from({ length: 50 }, (_, k) => `  m${k} = m${k + 1} + m0\n`).join('');
    const hostile = forge((c) => {
      c.encoding.features = 8192;
      c.program = `def Setup():\ndef Predict(v0):\n${many}def Learn(v0, s0):\n`;
    });
    expect(() => parseModel(hostile)).toThrow('needs more memory than is allowed');
  });

  it('that is huge, deep or not there is refused by its name', () => {
    writeFileSync(path, '');
    truncateSync(path, 2 ** 29);
    expect(() => readModel(path)).toThrow(`${path}: has more than`);
    writeFileSync(path, '{"format":"evozero-model","version":1,"a":'.concat('['.repeat(1e5), ']'.repeat(1e5), '}'));
    expect(() => readModel(path)).toThrow(path);
    expect(() => readModel(join(folder, 'none.json'))).toThrow('none.json: no such file or directory');
  });
});

it('predictions are CSV, quoted where needed', () => {
  expect(predictionsCsv([{ prediction: 'a, b', probability: 0.5 }, { prediction: undefined }], true)).toBe(
    'prediction,probability\n"a, b",0.5\nNA,NA\n',
  );
  expect(predictionsCsv([{ prediction: 1.5 }, { prediction: undefined }, { prediction: 2 }], false)).toBe(
    'prediction\n1.5\nNA\n2\n',
  );
});
