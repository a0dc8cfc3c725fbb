// Model files: a fitted model as JSON with a checksum over its content. What is read back predicts exactly what was written, or is
// refused. Must not know commands.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { type MemoryValue, predictSize, readsBeforeWriting } from '../analysis/fit/execute.js';
import type { Model } from '../analysis/fit/model.js';
import { describeSystemError, isSystemError } from '../data/system-error.js';
import { writeAtomic } from '../data/write-atomic.js';
import { labelKind } from '../engine/engine.js';
import { elements } from '../ops/ops.js';
import { ProgramTextError } from '../program/lexer.js';
import { parseSource } from '../program/parse.js';
import { printProgram } from '../program/print.js';
import type { Address, LabelKind, MemorySizes, Program } from '../program/program.js';
import { encodedColumns, type TableEncoding } from '../tasks/tabular/encoding.js';
import { LOSS_OF_KIND } from '../tasks/task-kind.js';
import { printable, quote } from '../util/quote.js';
import { MODEL_CONTENT, MODEL_FORMAT, MODEL_VERSION, type ModelContent, SPELLED } from './model-schema.js';

/** A file that is no whole model of this format. The message names it. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}

/** What a model file says beside the model. */
export type ModelFacts = Pick<ModelContent, 'evozero' | 'name' | 'training' | 'scores'>;

/** A file of more bytes, or memory of more numbers, is no model that anybody fitted. */
const MAX_BYTES = 2 ** 28;
const MAX_NUMBERS = 2 ** 26;
/** Far above what is searched. */
const MEMORY: MemorySizes = { scalars: 200, vectors: 200, matrices: 100 };

function checksum(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

// --- Writing -----------------------------------------------------------------------------------------------------------

/** Little-endian, as every machine that Node runs on has them. */
function toBase64(values: Float64Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64');
}

function spell(x: number): number | (typeof SPELLED)[number] {
  if (Number.isFinite(x) && !Object.is(x, -0)) return x;
  return SPELLED.find((spelled) => Object.is(Number(spelled), x))!;
}

function writeValue({ type, address, values }: MemoryValue): ModelContent['memory'][number] {
  const name = `${type}${address}`;
  return type === 's' ? { address: name, value: spell(values[0]!) } : { address: name, base64: toBase64(values) };
}

function labelsOf({ target }: TableEncoding): LabelKind {
  return labelKind(LOSS_OF_KIND[target.kind]);
}

export function modelText(model: Model, { evozero, name, training, scores }: ModelFacts): string {
  const { program, encoding, trained, seed } = model;
  const content = {
    format: MODEL_FORMAT,
    version: MODEL_VERSION,
    evozero,
    name,
    program: printProgram(program, labelsOf(encoding)),
    encoding,
    memory: trained.memory.map(writeValue),
    random: { seed, step: trained.step },
    training,
    scores,
  };
  return `${JSON.stringify({ ...content, checksum: checksum(content) }, undefined, 1)}\n`;
}

/** Throws an error of the operating system where it cannot be written. */
export function writeModel(path: string, model: Model, facts: ModelFacts): void {
  writeAtomic(path, [Buffer.from(modelText(model, facts))]);
}

// --- Reading -----------------------------------------------------------------------------------------------------------

function refuse(problem: string): never {
  throw new ModelError(problem);
}

function parseJson(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuse('is no JSON: it is cut off or no model file');
  }
  if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== MODEL_FORMAT) {
    refuse('is no model file: evozero fit writes those');
  }
  return value as Record<string, unknown>;
}

function checkContent(value: Record<string, unknown>): ModelContent {
  const { checksum: written, ...content } = value;
  if (content.version !== MODEL_VERSION) {
    refuse(
      `is of version ${quote(content.version)} of the format, and this evozero reads version ${MODEL_VERSION}: fit it again`,
    );
  }
  if (written !== checksum(content)) refuse('has another content than its checksum says: it was changed or damaged');
  const { success, data, error } = MODEL_CONTENT.safeParse(content);
  if (success) return data;
  const [issue] = error.issues;
  refuse(`${printable(issue!.path.join('.'))}: ${issue!.message}`);
}

/** What the schema cannot say of an encoding. */
function checkEncoding(encoding: TableEncoding): void {
  const { columns, features, projection, target } = encoding;
  if (new Set([target.name, ...columns.map(({ name }) => name)]).size !== columns.length + 1) {
    refuse('encoding.columns: two have the same name');
  }
  for (const column of columns) {
    if (column.kind === 'number') continue;
    const { values, others, scalings } = column;
    if (scalings.length !== values.length + (others.length > 0 ? 1 : 0)) {
      refuse(`encoding.columns: ${quote(column.name)} has another number of scalings than of categories`);
    }
  }
  if (projection === undefined && encodedColumns(columns) > features) {
    refuse(`encoding.features: ${features} are too few for the columns`);
  }
  if (projection !== undefined && projection.scalings.length !== features) {
    refuse('encoding.projection: has another number of scalings than of features');
  }
}

function readProgram(text: string, encoding: TableEncoding): Program {
  let source: ReturnType<typeof parseSource>;
  try {
    source = parseSource(text, MEMORY);
  } catch (error) {
    if (error instanceof ProgramTextError) refuse(`program: line ${error.line}: ${error.message}`);
    throw error;
  }
  if (source.labels !== labelsOf(encoding)) refuse(`program: is not of the kind that the target needs`);
  if (predictSize(source.program, encoding.features) > MAX_NUMBERS)
    refuse('program: needs more memory than is allowed');
  return source.program;
}

function readValue(entry: ModelContent['memory'][number], features: number): MemoryValue {
  const type = entry.address[0] as Address['type'];
  const address = Number(entry.address.slice(1));
  if ('value' in entry) return { type, address, values: Float64Array.of(Number(entry.value)) };
  const bytes = Buffer.from(entry.base64, 'base64');
  const count = elements(type, features);
  if (bytes.length !== count * Float64Array.BYTES_PER_ELEMENT)
    refuse(`memory: ${entry.address} has not ${count} numbers`);
  const values = new Float64Array(count);
  new Uint8Array(values.buffer).set(bytes);
  return { type, address, values };
}

function readMemory(entries: ModelContent['memory'], program: Program, encoding: TableEncoding): MemoryValue[] {
  const needed = readsBeforeWriting(program, LOSS_OF_KIND[encoding.target.kind]);
  const names = needed.map(({ type, address }) => `${type}${address}`);
  if (names.join() !== entries.map(({ address }) => address).join()) {
    refuse(`memory: expected ${names.join(', ') || 'nothing'}, which is what the program has learned`);
  }
  return entries.map((entry) => readValue(entry, encoding.features));
}

/** The model in a text, and what is said beside it. Throws ModelError, without the name of a file. */
export function parseModel(text: string): { model: Model; facts: ModelFacts } {
  const { program: source, encoding, memory, random, ...rest } = checkContent(parseJson(text));
  checkEncoding(encoding);
  const program = readProgram(source, encoding);
  const trained = { memory: readMemory(memory, program, encoding), step: random.step };
  const { evozero, name, training, scores } = rest;
  return { model: { program, encoding, trained, seed: random.seed }, facts: { evozero, name, training, scores } };
}

function readText(path: string): string {
  try {
    if (statSync(path).size > MAX_BYTES) refuse(`has more than ${MAX_BYTES} bytes, which is too much`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isSystemError(error)) refuse(describeSystemError(error));
    throw error;
  }
}

/** The model in a file. Throws ModelError. */
export function readModel(path: string): { model: Model; facts: ModelFacts } {
  try {
    return parseModel(readText(path));
  } catch (error) {
    const isTooDeep = error instanceof RangeError;
    if (!(isTooDeep || error instanceof ModelError)) throw error;
    throw new ModelError(`${printable(path)}: ${isTooDeep ? 'is nested too deeply to be a model' : error.message}`);
  }
}
