// A section of code that is to be put into another program: read from a text that may leave functions out, or taken from lines of a
// program. Pure. Must not know where it will go.
import type { Loss } from '../../engine/engine.js';
import { opById } from '../../ops/ops.js';
import { parseSource } from '../../program/parse.js';
import { functionTitle } from '../../program/print.js';
import {
  countInstructions,
  FUNCTION_NAMES,
  type FunctionName,
  forFunctions,
  type Instruction,
  type LabelKind,
  type MemorySizes,
  type Program,
} from '../../program/program.js';
import { explain } from '../explain/explain.js';
import type { Place } from '../explain/explanation.js';
import { addressOf } from '../explain/flow.js';

export interface CodeSection {
  readonly code: Program;
  readonly labels: LabelKind;
  /** What addresses are for, in the words of an explanation, where the program around the section tells. */
  readonly roles: ReadonlyMap<string, string>;
  /** Addresses that something outside the section reads; nothing if there is no outside. */
  readonly readOutside?: ReadonlySet<string>;
  /** What Setup of the program around it writes to addresses that the section only reads. */
  readonly prepared: ReadonlyMap<string, Instruction>;
}

/** A section that cannot be had. */
export class SectionError extends Error {
  override readonly name = 'SectionError';
}

/** Reads a section, whose text may leave functions out. Throws ProgramTextError. */
export function readSection(text: string, memory?: MemorySizes): CodeSection {
  const missing = FUNCTION_NAMES.filter((name) => !new RegExp(`^\\s*def\\s+${name}\\b`, 'im').test(text));
  const whole = text + missing.map((name) => `\ndef ${functionTitle(name)}():`).join('');
  const { program: code, labels } = parseSource(whole, memory);
  if (countInstructions(code) === 0) throw new SectionError('the section has no instructions');
  return { code, labels, roles: new Map(), prepared: new Map() };
}

const RANGE = /^(setup|predict|learn):(\d+)(?:-(\d+))?$/i;

/** `predict:1-2,learn:10`: lines count from 1. A range without a function belongs to the one before: `learn:8-9,11`. */
export function parseLines(text: string, program: Program): Place[] {
  const places: Place[] = [];
  let name: FunctionName | undefined;
  for (const part of text.split(',').map((each) => each.trim())) {
    const match = RANGE.exec(name !== undefined && /^\d/.test(part) ? `${name}:${part}` : part);
    if (match === null) throw new SectionError(`'${part}' is no range of lines such as predict:1-2 or learn:10`);
    name = match[1]!.toLowerCase() as FunctionName;
    const first = Number(match[2]);
    const last = Number(match[3] ?? match[2]);
    const length = program[name].length;
    if (first < 1 || last < first || last > length) {
      throw new SectionError(`'${part}': ${functionTitle(name)} has lines 1 to ${length}`);
    }
    for (let index = first - 1; index < last; index++) places.push({ function: name, index });
  }
  return places;
}

/** The addresses that an instruction reads; an op that sets one element reads the others. */
export function readAddresses(instruction: Instruction): string[] {
  const { inputs, output, overwrites } = opById(instruction.op);
  const addresses = [instruction.in1, instruction.in2];
  const read = inputs.map((type, k) => addressOf(type, addresses[k]!));
  return output === undefined || overwrites ? read : [...read, addressOf(output, instruction.out)];
}

/** The address that an instruction writes; nothing of no-op. */
export function writtenAddress({ op, out }: Instruction): string | undefined {
  const { output } = opById(op);
  return output === undefined ? undefined : addressOf(output, out);
}

export function takeLines(program: Program, labels: LabelKind, places: readonly Place[], loss: Loss): CodeSection {
  const isTaken = (name: FunctionName, index: number) =>
    places.some((place) => place.function === name && place.index === index);
  const code = forFunctions((name) => program[name].filter((_, k) => isTaken(name, k)));
  const rest = FUNCTION_NAMES.flatMap((name) => program[name].filter((_, k) => !isTaken(name, k)));
  const prepared = new Map<string, Instruction>();
  for (const address of new Set(FUNCTION_NAMES.flatMap((name) => code[name].flatMap(readAddresses)))) {
    const writers = FUNCTION_NAMES.flatMap((name) => program[name].filter((i) => writtenAddress(i) === address));
    const [only] = program.setup.filter((i) => writtenAddress(i) === address);
    const isFill = only !== undefined && opById(only.op).inputs.length === 0;
    if (writers.length === 1 && isFill && !code.setup.includes(only)) prepared.set(address, only);
  }
  return {
    code,
    labels,
    roles: explain(program, labels, loss).names,
    readOutside: new Set(rest.flatMap(readAddresses)),
    prepared,
  };
}
