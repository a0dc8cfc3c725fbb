// The JSON form of programs, for tools: ops by name, only the fields that an op uses. Everything read is validated, and
// the error names the place. Must not know files.
import { OPS, opById } from '../ops/ops.js';
import type { Op } from '../ops/types.js';
import { nearest } from '../util/nearest.js';
import { quote } from '../util/quote.js';
import type { ProgramSource } from './parse.js';
import {
  DEFAULT_MEMORY,
  type ForFunctions,
  FUNCTION_NAMES,
  type FunctionName,
  forFunctions,
  type Instruction,
  type LabelKind,
  type MemorySizes,
  makeInstruction,
  type Program,
  programProblem,
} from './program.js';

/** An instruction in JSON. */
export interface InstructionJson {
  readonly op: string;
  readonly in?: readonly number[];
  readonly out?: number;
  readonly index?: readonly number[];
  /** JSON has no negative zero, which is another number than zero: `1 / x` tells. */
  readonly constants?: readonly (number | '-0')[];
}

/** A program in JSON. */
export type ProgramJson = ForFunctions<readonly InstructionJson[]> & { readonly labels: LabelKind };

/** A mistake in the JSON form. The message starts with the place, such as `learn[3].in`. */
export class ProgramJsonError extends Error {
  override readonly name = 'ProgramJsonError';
}

function instructionToJson(instruction: Instruction): InstructionJson {
  const op = opById(instruction.op);
  return {
    op: op.name,
    ...(op.inputs.length > 0 && { in: [instruction.in1, instruction.in2].slice(0, op.inputs.length) }),
    ...(op.output !== undefined && { out: instruction.out }),
    ...(op.indices > 0 && { index: [instruction.index1, instruction.index2].slice(0, op.indices) }),
    ...(op.constantSpecs.length > 0 && {
      constants: [instruction.const1, instruction.const2]
        .slice(0, op.constantSpecs.length)
        .map((constant) => (Object.is(constant, -0) ? '-0' : constant)),
    }),
  };
}

/** A program as plain data, which `programFromJson` reads. */
export function programToJson(program: Program, labels: LabelKind = 'scalar'): ProgramJson {
  return { labels, ...forFunctions((name) => program[name].map(instructionToJson)) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuseOtherKeys(value: Record<string, unknown>, allowed: readonly string[], place: string): void {
  const other = Object.keys(value).find((key) => !allowed.includes(key));
  if (other !== undefined) throw new ProgramJsonError(`${place}unexpected field ${quote(other)}`);
}

/** `count` numbers at a field; the field may be missing when there are none. */
function readNumbers(value: unknown, count: number, place: string): number[] {
  const numbers = value ?? [];
  if (!Array.isArray(numbers) || numbers.length !== count || !numbers.every((x) => typeof x === 'number')) {
    throw new ProgramJsonError(`${place}: expected an array of ${count} number${count === 1 ? '' : 's'}`);
  }
  return numbers;
}

/** Turns the strings that stand for negative zeros into numbers. */
function readZeros(value: unknown): unknown {
  return Array.isArray(value) ? value.map((x) => (x === '-0' ? -0 : x)) : value;
}

function readOp(value: unknown, place: string): Op {
  const op = OPS.find(({ name }) => name === value);
  if (op !== undefined) return op;
  const guess =
    typeof value === 'string'
      ? nearest(
          value,
          OPS.map(({ name }) => name),
        )
      : undefined;
  const hint = guess === undefined ? '' : `; did you mean "${guess}"?`;
  throw new ProgramJsonError(`${place}: unknown op ${quote(value)}${hint}`);
}

function readInstruction(value: unknown, place: string): Instruction {
  if (!isObject(value)) throw new ProgramJsonError(`${place}: expected an instruction object`);
  refuseOtherKeys(value, ['op', 'in', 'out', 'index', 'constants'], `${place}: `);
  const op = readOp(value.op, `${place}.op`);
  const out = value.out;
  if (op.output !== undefined ? typeof out !== 'number' : out !== undefined) {
    throw new ProgramJsonError(
      `${place}.out: ${op.output === undefined ? `${op.name} has no output` : 'expected a number'}`,
    );
  }
  return makeInstruction({
    op: op.id,
    inputs: readNumbers(value.in, op.inputs.length, `${place}.in`),
    ...(typeof out === 'number' && { out }),
    indices: readNumbers(value.index, op.indices, `${place}.index`),
    constants: readNumbers(readZeros(value.constants), op.constantSpecs.length, `${place}.constants`),
  });
}

/** Reads what `programToJson` wrote, or anything like it. */
export function programFromJson(value: unknown, memory: MemorySizes = DEFAULT_MEMORY): ProgramSource {
  if (!isObject(value)) throw new ProgramJsonError('expected an object with setup, predict and learn');
  refuseOtherKeys(value, ['labels', ...FUNCTION_NAMES], '');
  const labels = value.labels ?? 'scalar';
  if (labels !== 'scalar' && labels !== 'vector') throw new ProgramJsonError('labels: expected "scalar" or "vector"');
  const read = (name: FunctionName): Instruction[] => {
    const instructions = value[name];
    if (!Array.isArray(instructions)) throw new ProgramJsonError(`${name}: expected an array of instructions`);
    return instructions.map((instruction, k) => readInstruction(instruction, `${name}[${k}]`));
  };
  const program: Program = forFunctions(read);
  const problem = programProblem(program, memory);
  if (problem !== undefined) throw new ProgramJsonError(problem);
  return { program, labels };
}
