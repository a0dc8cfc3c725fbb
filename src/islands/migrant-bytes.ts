// A program that travels between machines, as bytes, and back. What comes may be anything: whatever is not a program of the search is
// refused. Must not know how bytes travel.

import type { Config } from '../experiment/config.js';
import { labelsOf } from '../experiment/config-loss.js';
import type { Upload } from '../experiment/island.js';
import { readProgram } from '../experiment/program-references.js';
import { OPS } from '../ops/ops.js';
import { packWord } from '../program/flat/code-layout.js';
import { packIndices, unpackInstruction, wordOp } from '../program/flat/code-store.js';
import { packPrograms, unpackPrograms } from '../program/flat/packed-programs.js';
import { FUNCTION_NAMES, type Instruction, type Program, programProblem } from '../program/program.js';

/** Of programs between machines, of checkpoints and of reports: islands of another format cannot work together. */
export const ISLAND_FORMAT = 1;

// A head of format, the program's number and the lengths of its functions, then the instructions, each with what its op has.
const HEAD = { format: 0, id: 4, lengths: 12, bytes: 20 } as const;
const NO_LINE = -1;

function instructionBytes(op: number): number {
  const { indices, constantSpecs } = OPS[op]!;
  return 4 + (indices > 0 ? 4 : 0) + 8 * constantSpecs.length;
}

export interface Migrant {
  readonly id: number;
  readonly program: Program;
}

function encodeMigrant({ id, program }: Migrant): Uint8Array {
  const all = FUNCTION_NAMES.flatMap((name) => program[name]);
  const size = all.reduce<number>((sum, { op }) => sum + instructionBytes(op), HEAD.bytes);
  const view = new DataView(new ArrayBuffer(size));
  view.setUint32(HEAD.format, ISLAND_FORMAT, true);
  view.setFloat64(HEAD.id, id, true);
  for (const [fn, name] of FUNCTION_NAMES.entries()) {
    view.setUint16(HEAD.lengths + 2 * fn, program[name].length, true);
  }
  let at: number = HEAD.bytes;
  for (const { op, in1, in2, out, index1, index2, const1, const2 } of all) {
    const { indices, constantSpecs } = OPS[op]!;
    view.setUint32(at, packWord(op, in1, in2, out), true);
    at += 4;
    if (indices > 0) {
      view.setUint32(at, packIndices(index1, index2), true);
      at += 4;
    }
    for (const constant of [const1, const2].slice(0, constantSpecs.length)) {
      view.setFloat64(at, constant, true);
      at += 8;
    }
  }
  return new Uint8Array(view.buffer);
}

/** The programs that an island sends. */
export function encodeUpload({ migrants }: Upload): Uint8Array[] {
  return unpackPrograms(migrants.programs).map((program, k) => encodeMigrant({ id: migrants.ids[k]!, program }));
}

function readInstruction(view: DataView, at: number): Instruction | undefined {
  const word = view.getUint32(at, true);
  const known = OPS[wordOp(word)];
  if (known === undefined) return undefined;
  const { indices, constantSpecs } = known;
  const both = indices > 0 ? view.getUint32(at + 4, true) : 0;
  const first = at + (indices > 0 ? 8 : 4);
  const [const1 = 0, const2 = 0] = constantSpecs.map((_, k) => view.getFloat64(first + 8 * k, true));
  return unpackInstruction(word, both, const1, const2);
}

const bases = new WeakMap<Config, Program>();

/** The program whose frozen functions all programs have. */
function baseOf(config: Config): Program {
  const known = bases.get(config);
  if (known !== undefined) return known;
  const { space, tasks } = config;
  const base =
    space.base === undefined
      ? { setup: [], predict: [], learn: [] }
      : readProgram(space.base, space.memory, labelsOf(tasks.search.set));
  bases.set(config, base);
  return base;
}

/** Whether a program is one that this search could have made, as far as memory, sizes and frozen functions go. */
export function isOfSearch(program: Program, config: Config): boolean {
  const { space } = config;
  const constants = FUNCTION_NAMES.flatMap((name) => program[name].flatMap(({ const1, const2 }) => [const1, const2]));
  return (
    FUNCTION_NAMES.every((name) =>
      space[name].frozen
        ? JSON.stringify(program[name]) === JSON.stringify(baseOf(config)[name])
        : program[name].length <= space[name].max,
    ) &&
    constants.every(Number.isFinite) &&
    programProblem(program, space.memory) === undefined
  );
}

/** Nothing if the bytes are no program of this search. */
export function decodeMigrant(bytes: Uint8Array, config: Config): Migrant | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEAD.bytes || view.getUint32(HEAD.format, true) !== ISLAND_FORMAT) return undefined;
  const id = view.getFloat64(HEAD.id, true);
  if (!Number.isSafeInteger(id) || id < 0) return undefined;
  const bodies: Instruction[][] = [];
  let at: number = HEAD.bytes;
  for (const fn of FUNCTION_NAMES.keys()) {
    const body: Instruction[] = [];
    for (let k = view.getUint16(HEAD.lengths + 2 * fn, true); k > 0; k--) {
      if (at + 4 > bytes.length) return undefined;
      const op = wordOp(view.getUint32(at, true));
      if (op >= OPS.length || at + instructionBytes(op) > bytes.length) return undefined;
      body.push(readInstruction(view, at)!);
      at += instructionBytes(op);
    }
    bodies.push(body);
  }
  const program: Program = { setup: bodies[0]!, predict: bodies[1]!, learn: bodies[2]! };
  return at === bytes.length && isOfSearch(program, config) ? { id, program } : undefined;
}

/** What came, for an island; nobody's word is taken for how good it is. And how much was refused. */
export function readPool(payloads: readonly Uint8Array[], config: Config): { upload: Upload; refused: number } {
  const migrants = payloads.flatMap((bytes) => decodeMigrant(bytes, config) ?? []);
  const upload: Upload = {
    group: NO_LINE,
    migrants: {
      ids: Float64Array.from(migrants, ({ id }) => id),
      fitnesses: new Float64Array(migrants.length),
      atHurdles: new Float64Array(0),
      lines: { numbers: new Float64Array(0), programs: packPrograms([]) },
      lineOf: new Int32Array(migrants.length).fill(NO_LINE),
      programs: packPrograms(migrants.map(({ program }) => program)),
    },
  };
  return { upload, refused: payloads.length - migrants.length };
}
