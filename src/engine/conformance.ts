// Checks an engine against golden vectors made by the C++ original: single ops (memory before and after) and whole
// programs (the error at every example, and the fitness). One suite for every engine. Must not know files.
import { OPS } from '../ops/ops.js';
import {
  type Instruction,
  type MemorySizes,
  makeInstruction,
  type Program,
  programProblem,
} from '../program/program.js';
import { quote } from '../util/quote.js';
import { checkTasks, type Engine, type MemoryImage, type Task, TaskError } from './engine.js';

/** Sums may be added in another order than in the C++ original. */
export const TOLERANCE = 1e-9;

/** A vector that cannot be read. The message starts with the line. */
export class VectorError extends Error {
  override readonly name = 'VectorError';
}

interface OpCase {
  readonly kind: 'op';
  readonly instruction: Instruction;
  readonly before: MemoryImage;
  readonly after: MemoryImage;
}

interface ProgramCase {
  readonly kind: 'program';
  readonly program: Program;
  readonly task: Task;
  readonly trainErrors: readonly number[];
  readonly validErrors: readonly number[];
  readonly fitness: number;
}

export type Case = (OpCase | ProgramCase) & { readonly line: number };

// --- Reading -----------------------------------------------------------------------------------------------------------

type Json = Record<string, unknown>;

function object(value: unknown, what: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new VectorError(`${what} is not an object`);
  return value as Json;
}

function array(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw new VectorError(`${what} is not an array`);
  return value;
}

/** A number, or one of the strings that stand for numbers that JSON lacks. */
function number(value: unknown, what: string): number {
  if (typeof value === 'number') return value;
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  throw new VectorError(`${what} is not a number`);
}

function numbers(value: unknown, what: string, length?: number): Float64Array {
  const items = array(value, what);
  if (length !== undefined && items.length !== length) throw new VectorError(`${what} does not have ${length} numbers`);
  return Float64Array.from(items, (item) => number(item, what));
}

function readMemory(value: unknown, features: number): MemoryImage {
  const { s, v, m } = object(value, 'memory');
  return {
    features,
    scalars: numbers(s, 's'),
    vectors: array(v, 'v').map((x) => numbers(x, 'v', features)),
    matrices: array(m, 'm').map((x) => numbers(x, 'm', features * features)),
  };
}

function readInstruction(value: unknown): Instruction {
  const json = object(value, 'instruction');
  const op = OPS[number(json.op, 'op')];
  if (op === undefined) throw new VectorError(`there is no op ${quote(json.op)}`);
  if (op.random) throw new VectorError(`op ${op.id} draws random numbers, so no vector can say what it gives`);
  const inputs = [json.in1, json.in2].slice(0, op.inputs.length).map((x) => number(x, 'input'));
  return makeInstruction({
    op: op.id,
    inputs,
    ...(op.output !== undefined && { out: number(json.out, 'out') }),
    indices: op.indices === 0 ? [] : [...numbers(json.index, 'index', op.indices)],
    constants: op.constantSpecs.length === 0 ? [] : [number(json.value, 'value')],
  });
}

function readProgram(value: unknown): Program {
  const { setup, predict, learn } = object(value, 'program');
  const read = (body: unknown) => array(body, 'function').map(readInstruction);
  return { setup: read(setup), predict: read(predict), learn: read(learn) };
}

function readTask(json: Json): Task {
  const features = number(json.F, 'F');
  const loss = json.eval;
  if (loss !== 'rms' && loss !== 'accuracy') throw new VectorError(`unknown eval ${quote(loss)}`);
  const examples = (value: unknown) => {
    const { x, y } = object(value, 'examples');
    const rows = array(x, 'x').map((row) => numbers(row, 'x', features));
    const flat = new Float64Array(rows.length * features);
    for (const [k, row] of rows.entries()) flat.set(row, k * features);
    return { count: rows.length, features: flat, labels: numbers(y, 'y', rows.length) };
  };
  const task: Task = {
    features,
    loss,
    train: examples(json.train),
    valid: examples(json.valid),
    seed: 0,
  };
  checkTasks([task]);
  return task;
}

/** Far beyond the addresses of any vector; a larger one would only ask for memory that is not there. */
const MAX_MEMORY: MemorySizes = { scalars: 1000, vectors: 1000, matrices: 1000 };

function checkProgram(program: Program, sizes: MemorySizes): Program {
  const problem = programProblem(program, sizes);
  if (problem !== undefined) throw new VectorError(problem);
  return program;
}

function readOpCase(json: Json): OpCase {
  const features = number(json.F, 'F');
  const instruction = readInstruction(json.instruction);
  const before = readMemory(json.before, features);
  const after = readMemory(json.after, features);
  const sizes = sizesOf(before);
  if (JSON.stringify(sizesOf(after)) !== JSON.stringify(sizes))
    throw new VectorError('before and after differ in size');
  checkProgram({ setup: [instruction], predict: [], learn: [] }, sizes);
  return { kind: 'op', instruction, before, after };
}

function sizesOf({ scalars, vectors, matrices }: MemoryImage): MemorySizes {
  return { scalars: scalars.length, vectors: vectors.length, matrices: matrices.length };
}

function readProgramCase(json: Json, tasks: ReadonlyMap<number, Task>): ProgramCase {
  const task = tasks.get(number(json.task, 'task'));
  if (task === undefined) throw new VectorError(`there is no task ${quote(json.task)} above`);
  if (json.F !== undefined && json.F !== task.features)
    throw new VectorError(`F is ${quote(json.F)}, and that of its task ${task.features}`);
  return {
    kind: 'program',
    program: checkProgram(readProgram(json.program), MAX_MEMORY),
    task,
    trainErrors: [...numbers(json.trainErrors, 'trainErrors')],
    validErrors: [...numbers(json.validErrors, 'validErrors')],
    fitness: number(json.fitness, 'fitness'),
  };
}

/** The cases of one file: a JSON object on each line, tasks before the programs that refer to them. */
export function readVectors(text: string): Case[] {
  const tasks = new Map<number, Task>();
  const cases: Case[] = [];
  for (const [k, lineText] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (lineText.trim() === '') continue;
    const line = k + 1;
    try {
      const json = object(JSON.parse(lineText), 'the line');
      if ('instruction' in json) {
        cases.push({ ...readOpCase(json), line });
      } else if ('program' in json) {
        cases.push({ ...readProgramCase(json, tasks), line });
      } else if ('train' in json) {
        tasks.set(number(json.task, 'task'), readTask(json));
      } else {
        throw new VectorError('neither an op, a task nor a program');
      }
    } catch (error) {
      if (error instanceof VectorError || error instanceof TaskError)
        throw new VectorError(`line ${line}: ${error.message}`);
      if (error instanceof SyntaxError) throw new VectorError(`line ${line}: not valid JSON`);
      throw error;
    }
  }
  return cases;
}

// --- Comparing ---------------------------------------------------------------------------------------------------------

/** 0 for equal values, NaN being equal to NaN; infinite where only one of them is finite. */
function relativeError(expected: number, actual: number): number {
  if (expected === actual || (Number.isNaN(expected) && Number.isNaN(actual))) return 0;
  const error = Math.abs(expected - actual) / Math.max(Math.abs(expected), Math.abs(actual));
  return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
}

/** The largest relative error between two lists; infinite where their lengths differ. */
function largestError(expected: ArrayLike<number>, actual: ArrayLike<number>): number {
  if (expected.length !== actual.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let k = 0; k < expected.length; k++) largest = Math.max(largest, relativeError(expected[k]!, actual[k]!));
  return largest;
}

function checkOp(engine: Engine, { instruction, before, after }: OpCase): number {
  const memory: MemoryImage = {
    features: before.features,
    scalars: before.scalars.slice(),
    vectors: before.vectors.map((v) => v.slice()),
    matrices: before.matrices.map((m) => m.slice()),
  };
  engine.execute(instruction, memory);
  return Math.max(
    largestError(after.scalars, memory.scalars),
    ...after.vectors.map((v, k) => largestError(v, memory.vectors[k] ?? [])),
    ...after.matrices.map((m, k) => largestError(m, memory.matrices[k] ?? [])),
  );
}

function checkProgramCase(engine: Engine, { program, task, trainErrors, validErrors, fitness }: ProgramCase): number {
  const outcome = engine.prepare([task], { trace: true }).evaluate(program)[0]!;
  return Math.max(
    largestError(trainErrors, outcome.trace!.trainErrors),
    largestError(validErrors, outcome.trace!.validErrors),
    relativeError(fitness, outcome.fitness),
  );
}

/** The largest relative error of an engine on one case. */
export function checkCase(engine: Engine, testCase: Case): number {
  return testCase.kind === 'op' ? checkOp(engine, testCase) : checkProgramCase(engine, testCase);
}
