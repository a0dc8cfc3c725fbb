// Exported programs against the interpreter: all built-in programs and random ones that use every op, as TypeScript, JavaScript
// and Python, trained on real tasks. Needs python3 with NumPy.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error: a plain JavaScript file without types
import { ensurePython } from '../../scripts/system-packages.js';
import { explain } from '../../src/analysis/explain/explain.js';
import type { Explanation } from '../../src/analysis/explain/explanation.js';
import { exportProgram } from '../../src/analysis/export/export-program.js';
import { type Examples, type Loss, labelKind, type Task } from '../../src/engine/engine.js';
import { interpreter } from '../../src/engine/interpreter.js';
import { OPS, opById } from '../../src/ops/ops.js';
import { BUILTIN_NAMES, builtin } from '../../src/program/builtin.js';
import { simplify } from '../../src/program/liveness.js';
import { parseProgram } from '../../src/program/parse.js';
import { printProgram } from '../../src/program/print.js';
import { FUNCTION_NAMES, type Program } from '../../src/program/program.js';
import { openBuiltinTasks } from '../../src/tasks/open-tasks.js';
import { RandomStream } from '../../src/util/random.js';
import { SEED, smallTask } from '../support/arbitraries.js';
import { connect, programs, readers } from '../support/differential.js';
import { temporaryFolder } from '../support/folders.js';

const folder = temporaryFolder();
const TOLERANCE = 1e-9;
const RANDOM_PROGRAMS = 72;

const UNEXPLAINED: Explanation = {
  comments: { setup: [], predict: [], learn: [] },
  names: new Map(),
  techniques: [],
};

interface Case {
  readonly name: string;
  readonly program: Program;
  readonly task: Task;
  readonly explanation: Explanation;
  readonly expected: Expected;
}

interface Expected {
  readonly stoppedEarly: boolean;
  /** What Predict leaves for each validation example, up to where an error ends the validation. */
  readonly predictions: readonly (readonly number[])[];
}

/** What an exported class answers. */
interface Answer {
  readonly stoppedEarly: boolean;
  readonly decisions: readonly (number | readonly number[])[];
  /** The same asked again: predicting must change nothing. */
  readonly again: readonly (number | readonly number[])[];
}

// --- Cases -------------------------------------------------------------------------------------------------------------

function interpret(program: Program, task: Task): Expected {
  const [outcome] = interpreter.prepare([task], { trace: true }).evaluate(program);
  const { trainErrors, predictions } = outcome!.trace!;
  const width = task.loss === 'multiclass' ? task.features : 1;
  const rows = Array.from({ length: predictions.length / width }, (_, k) =>
    predictions.slice(k * width, k * width + Math.min(width, 10)),
  );
  const stoppedEarly = trainErrors.length < task.train.count;
  return { stoppedEarly, predictions: stoppedEarly ? [] : rows.slice(task.train.count) };
}

function isClose(a: number, b: number, tolerance: number): boolean {
  if (Object.is(a, b) || a === b) return true;
  return Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));
}

/** Whether an answer hardly changes with the last digits of the features, so that the order of sums does not show. */
function isWellConditioned(program: Program, task: Task, expected: Expected): boolean {
  return [1, 2].every((seed) => {
    const random = new RandomStream(seed);
    const shake = (examples: Examples) => ({
      ...examples,
      features: examples.features.map((x) => x * (1 + 1e-13 * random.gaussian())),
    });
    const shaken = interpret(program, { ...task, train: shake(task.train), valid: shake(task.valid) });
    if (shaken.stoppedEarly !== expected.stoppedEarly) return false;
    if (shaken.predictions.length !== expected.predictions.length) return false;
    return shaken.predictions.flat().every((value, k) => isClose(value, expected.predictions.flat()[k]!, 1e-10));
  });
}

async function taskOf(name: string, features: number, seed: number): Promise<Task> {
  const request = { name, features, count: 1, seed, train: 60, valid: 30 };
  return (await openBuiltinTasks(request)).at(0);
}

async function builtinCases(): Promise<Case[]> {
  const tasks = {
    scalar: [await taskOf('affine', 8, 3), await taskOf('digits', 16, 4)],
    vector: [await taskOf('digits-multiclass-search', 12, 5)],
  };
  return BUILTIN_NAMES.flatMap((name) => {
    const { program, labels } = builtin(name)!;
    return tasks[labels].flatMap((task) => {
      const expected = interpret(program, task);
      const explanations = [explain(program, labels, task.loss), UNEXPLAINED];
      return explanations.map((explanation) => ({ name, program, task, explanation, expected }));
    });
  });
}

/** Setup, Predict and Learn of programs that are easily forgotten. */
const CORNERS: readonly (readonly [Loss, string, string, string])[] = [
  ['rms', '', '', ''],
  ['accuracy', '', '', ''],
  ['multiclass', '', '', ''],
  ['rms', '', 's1 = mean(v0)', ''],
  ['rms', 's2 = -1', 's1 = log(s2)', ''],
  ['accuracy', '', 's1 = s1 + s0', 's1 = s1 / s0'],
  ['rms', '', 's0 = mean(v0)\nv0[1] = 0.5\ns1 = mean(v0)\ns1 = s1 * s0', 'v0[0] = 2\ns1 = std(v0)'],
  [
    'rms',
    'v2[1] = 0.5\ns3 = mean(v2)\nv2 = v2 + v2',
    'v2[5] = 3\nv3 = v0 * v2\ns1 = mean(v3)',
    'v2[0] = 1\nv2 = v2 * v0',
  ],
  ['multiclass', '', 'v1[2] = 0.5\nv2[1] = 0.25\nv2 = v2 + v1', 'v2[3] = 1\nv1[4] = 2\nv2 = v2 * v1'],
  ['accuracy', 'm0[1, 7] = 0.3', 'm1 = transpose(m0)\nm1[0, 1] = 2\nv1 = dot(m1, v0)\ns1 = mean(v1)', 'm0 = m0 + m1'],
  ['rms', '', 's1 = 1 / s5', ''],
  ['rms', 's1 = 0.5\ns3 = 1', 's4 = s3 / s5\ns4 = arctan(s4)\ns1 = s1 * s4', ''],
];

function cornerCases(): Case[] {
  return CORNERS.map(([loss, setup, predict, learn], k) => {
    const program = parseProgram(`def Setup():\n${setup}\ndef Predict():\n${predict}\ndef Learn():\n${learn}\n`);
    const task = smallTask(loss === 'multiclass' ? 11 : 4, loss, k);
    return { name: `corner ${k}`, program, task, explanation: UNEXPLAINED, expected: interpret(program, task) };
  });
}

function liveOps(program: Program, loss: Loss): number[] {
  const live = simplify(program, labelKind(loss));
  return FUNCTION_NAMES.flatMap((name) => live[name].map(({ op }) => op));
}

const LOSSES: readonly (readonly [Loss, number])[] = [
  ['rms', 4],
  ['accuracy', 3],
  ['multiclass', 10],
  ['rms', 9],
];

/** Random programs until there are enough and every op that can be live is. */
function randomCases(): Case[] {
  const cases: Case[] = [];
  const missing = new Set(OPS.flatMap(({ id, output }) => (output === undefined ? [] : [id])));
  for (let batch = 0; cases.length < RANDOM_PROGRAMS || missing.size > 0; batch++) {
    expect(batch, `ops that no program uses: ${[...missing].map((id) => opById(id).name)}`).toBeLessThan(200);
    const [loss, features] = LOSSES[batch % LOSSES.length]!;
    const labels = labelKind(loss);
    for (const [random, picks] of fc.sample(fc.tuple(programs, readers), { numRuns: 12, seed: SEED * 1000 + batch })) {
      const program = connect(random, labels, { ...picks, fill: true });
      const isNews = liveOps(program, loss).some((id) => missing.has(id));
      if (cases.length >= RANDOM_PROGRAMS && !isNews) continue;
      const task = smallTask(features, loss, batch + 1, 8);
      const expected = interpret(program, task);
      if (!isWellConditioned(program, task, expected)) continue;
      // Some that stop early, but not too many; none that overflows at once.
      if (expected.stoppedEarly && cases.length % 6 !== 0) continue;
      for (const id of liveOps(program, loss)) missing.delete(id);
      const explanation = cases.length % 4 === 0 ? explain(program, labels, loss) : UNEXPLAINED;
      cases.push({ name: `random ${cases.length}`, program, task, explanation, expected });
    }
  }
  return cases;
}

// --- Running exports ---------------------------------------------------------------------------------------------------

function sourceOf({ program, task: { loss }, explanation }: Case, to: 'ts' | 'js' | 'python'): string {
  return exportProgram(program, labelKind(loss), { to, loss, explanation, name: 'Exported' });
}

function rowsOf({ features, count }: Examples): number[][] {
  const width = features.length / count;
  return Array.from({ length: count }, (_, k) => Array.from(features.subarray(k * width, (k + 1) * width)));
}

type Rows = readonly (readonly number[])[];

/** What the tests use of an exported class. */
interface Exported {
  readonly stoppedEarly: boolean;
  fit(X: Rows, y: readonly number[]): this;
  predict(X: Rows): number[];
  decisionValues?(X: Rows): (number | number[])[];
  score(X: Rows, y: readonly number[]): number;
}

async function runModule(path: string, task: Task): Promise<Answer> {
  const module = (await import(pathToFileURL(path).href)) as {
    Exported: new (options: { seed: number }) => Exported;
  };
  const model = new module.Exported({ seed: task.seed });
  model.fit(rowsOf(task.train), Array.from(task.train.labels));
  const rows = rowsOf(task.valid);
  const decide = () => model.decisionValues?.(rows) ?? model.predict(rows);
  return { stoppedEarly: model.stoppedEarly, decisions: decide(), again: decide() };
}

function typeProblems(paths: readonly string[]): string[] {
  const program = ts.createProgram(paths, {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.ESNext,
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitReturns: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    erasableSyntaxOnly: true,
    isolatedModules: true,
    noEmit: true,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText, file }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}

/** Reads cases from a file and answers in another, because JSON has no NaN and Python's is not everybody's. */
const RUNNER = `
import importlib, json, sys, warnings
import numpy as np

warnings.simplefilter("error")
folder = sys.argv[1]
sys.path.insert(0, folder)

def spell(values):
    return [[repr(float(x)) for x in row] if np.ndim(row) else repr(float(row)) for row in values]

answers = []
with open(folder + "/cases.json") as file:
    cases = json.load(file)
for case in cases:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="training has ended early")
        module = importlib.import_module(case["module"])
        model = module.Exported(seed=case["seed"])
        X, y = np.array(case["X"]), np.array(case["y"])
        kept = X.copy()
        if case["loss"] == "rms":
            model.fit(X, y)
        else:
            model.partial_fit(X, y, classes=np.arange(2 if case["loss"] == "accuracy" else 10))
        decide = model.predict if case["loss"] == "rms" else model.decision_function
        valid = np.array(case["valid"])
        answers.append({
            "stoppedEarly": model.stopped_early_,
            "decisions": spell(decide(valid)),
            "again": spell(decide(valid)),
        })
        assert np.array_equal(kept, X), "training has changed its input"
with open(folder + "/answers.json", "w") as file:
    json.dump(answers, file)
`;

function fromPython(text: string): number {
  return text === 'inf' ? Number.POSITIVE_INFINITY : text === '-inf' ? Number.NEGATIVE_INFINITY : Number(text);
}

function runPython(cases: readonly Case[]): Answer[] {
  const home = join(folder, 'python');
  mkdirSync(home, { recursive: true });
  const inputs = cases.map((item, k) => {
    writeFileSync(join(home, `case_${k}.py`), sourceOf(item, 'python'));
    const { train, valid, seed, loss } = item.task;
    return { module: `case_${k}`, seed, loss, X: rowsOf(train), y: Array.from(train.labels), valid: rowsOf(valid) };
  });
  writeFileSync(join(home, 'cases.json'), JSON.stringify(inputs));
  writeFileSync(join(home, 'runner.py'), RUNNER);
  execFileSync('python3', ['-B', join(home, 'runner.py'), home], { stdio: ['ignore', 'pipe', 'inherit'] });
  const answers = JSON.parse(readFileSync(join(home, 'answers.json'), 'utf8')) as {
    stoppedEarly: boolean;
    decisions: (string | string[])[];
    again: (string | string[])[];
  }[];
  const read = (values: (string | string[])[]) =>
    values.map((value) => (Array.isArray(value) ? value.map(fromPython) : fromPython(value)));
  return answers.map(({ stoppedEarly, decisions, again }) => ({
    stoppedEarly,
    decisions: read(decisions),
    again: read(again),
  }));
}

// --- Comparing ---------------------------------------------------------------------------------------------------------

function compare({ name, program, task, expected }: Case, { stoppedEarly, decisions, again }: Answer): void {
  const about = `${name}, ${task.loss}\n${printProgram(program, labelKind(task.loss))}`;
  expect(stoppedEarly, about).toBe(expected.stoppedEarly);
  expect(again, about).toStrictEqual(decisions);
  for (const [k, values] of expected.predictions.entries()) {
    const decided = [decisions[k]!].flat();
    const isRight = values.length === decided.length && values.every((x, i) => isClose(x, decided[i]!, TOLERANCE));
    if (!isRight) expect(decided, `${about}\nvalidation example ${k}`).toStrictEqual(values);
  }
}

describe('exported programs', () => {
  let cases: readonly Case[] = [];

  beforeAll(async () => {
    ensurePython();
    cases = [...(await builtinCases()), ...cornerCases(), ...randomCases()];
  }, 300_000);

  it('are compared where there is something to compare', () => {
    const random = cases.filter(({ name }) => name.startsWith('random'));
    expect(random.length).toBeGreaterThanOrEqual(60);
    expect(random.filter(({ expected }) => expected.stoppedEarly).length).toBeGreaterThan(0);
    for (const loss of ['rms', 'accuracy', 'multiclass'] as const) {
      const trained = random.filter(({ task, expected }) => task.loss === loss && expected.predictions.length > 0);
      expect(trained.length, loss).toBeGreaterThan(10);
    }
  });

  it('predict in TypeScript as the interpreter does, and compile strictly', async () => {
    const home = join(folder, 'ts');
    mkdirSync(home, { recursive: true });
    const paths = cases.map((item, k) => {
      const path = join(home, `case-${k}.ts`);
      writeFileSync(path, sourceOf(item, 'ts'));
      return path;
    });
    expect(typeProblems(paths)).toStrictEqual([]);
    for (const [k, item] of cases.entries()) {
      const { outputText } = ts.transpileModule(readFileSync(paths[k]!, 'utf8'), {
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
      });
      const path = join(home, `case-${k}.mjs`);
      writeFileSync(path, outputText);
      compare(item, await runModule(path, item.task));
    }
  });

  it('predict in JavaScript as the interpreter does', async () => {
    const home = join(folder, 'js');
    mkdirSync(home, { recursive: true });
    for (const [k, item] of cases.entries()) {
      const path = join(home, `case-${k}.mjs`);
      writeFileSync(path, sourceOf(item, 'js'));
      compare(item, await runModule(path, item.task));
    }
  });

  it('predict in Python as the interpreter does', () => {
    const answers = runPython(cases);
    for (const [k, item] of cases.entries()) compare(item, answers[k]!);
  });
});
