// One representative for all programs that differ only in address names, dead code or the order of commutative inputs, and
// a 64-bit hash of it: equal hashes mean equal predictions, found without running anything. Must not run anything.
import { opById } from '../ops/ops.js';
import type { OperandType } from '../ops/types.js';
import { Hasher } from '../util/hash.js';
import { CODE_ADDRESSES, packWord } from './flat/code-layout.js';
import { simplify } from './liveness.js';
import {
  FUNCTION_NAMES,
  forFunctions,
  type Instruction,
  type LabelKind,
  type Program,
  TASK_ADDRESSES,
} from './program.js';

/** How an address occurs in an instruction. Commutative inputs share a role, so that their order leaves no trace. */
const ROLE = { out: 0, either: 1, in1: 2, in2: 3 } as const;
const ROLES = 4;

function name(type: OperandType, address: number): string {
  return type + address;
}

/** Orders two addresses by where they first occur differently. */
function compareOccurrences(a: readonly number[], b: readonly number[]): number {
  for (let k = 0; k < a.length && k < b.length; k++) {
    if (a[k] !== b[k]) return a[k]! - b[k]!;
  }
  return b.length - a.length;
}

/** Gives new addresses in the order in which old ones are first asked for. */
class Renaming {
  private readonly renamed = new Map<string, number>();
  private readonly next: { [type in OperandType]: number } = { s: 0, v: 0, m: 0 };
  private readonly written = new Set<string>();
  /** For each identity: instruction * ROLES + role, in the order of the program. No two identities share this. */
  private readonly occurrences = new Map<string, number[]>();

  constructor(instructions: readonly Instruction[], labels: LabelKind) {
    // Addresses with a fixed meaning keep their names; the others come after them.
    for (const { type, address } of Object.values(TASK_ADDRESSES[labels])) {
      this.renamed.set(name(type, address), address);
      this.next[type] = Math.max(this.next[type], address + 1);
    }
    for (const { op, out } of instructions) this.written.add(name(opById(op).output!, out));
    for (const [k, { op: id, in1, in2, out }] of instructions.entries()) {
      const op = opById(id);
      this.note(op.output, out, k, ROLE.out);
      this.note(op.inputs[0], in1, k, op.commutes ? ROLE.either : ROLE.in1);
      this.note(op.inputs[1], in2, k, op.commutes ? ROLE.either : ROLE.in2);
    }
  }

  private note(type: OperandType | undefined, address: number, k: number, role: number): void {
    if (type === undefined) return;
    const identity = this.identity(type, address);
    const known = this.occurrences.get(identity);
    if (known === undefined) this.occurrences.set(identity, [k * ROLES + role]);
    else known.push(k * ROLES + role);
  }

  /** Addresses that are never written hold zero for ever, so all of a type are one. */
  private identity(type: OperandType, address: number): string {
    const own = name(type, address);
    return this.renamed.has(own) || this.written.has(own) ? own : `${type} zero`;
  }

  rename(type: OperandType, address: number): number {
    const identity = this.identity(type, address);
    let renamed = this.renamed.get(identity);
    if (renamed === undefined) {
      renamed = this.next[type]++;
      this.renamed.set(identity, renamed);
    }
    return renamed;
  }

  /** Whether the second of two interchangeable inputs is to be named first. With a name for either, it does not matter. */
  prefersSecond(type: OperandType, first: number, second: number): boolean {
    const [a, b] = [this.identity(type, first), this.identity(type, second)];
    if (this.renamed.has(a) || this.renamed.has(b)) return false;
    return compareOccurrences(this.occurrences.get(a)!, this.occurrences.get(b)!) > 0;
  }
}

function renameInstruction(instruction: Instruction, renaming: Renaming): Instruction {
  const op = opById(instruction.op);
  let { in1, in2, out } = instruction;
  const [type1, type2] = op.inputs;
  if (op.commutes && renaming.prefersSecond(type1!, in1, in2)) [in1, in2] = [in2, in1];
  if (type1 !== undefined) in1 = renaming.rename(type1, in1);
  if (type2 !== undefined) in2 = renaming.rename(type2, in2);
  if (op.commutes && in2 < in1) [in1, in2] = [in2, in1];
  if (op.output !== undefined) out = renaming.rename(op.output, out);
  return { ...instruction, in1, in2, out };
}

/**
 * The representative: dead code gone, addresses numbered in order of first use (inputs before the output, setup before
 * predict before learn), commutative inputs in ascending order. Predicts what the program predicts, to the bit.
 */
export function canonicalize(program: Program, labels: LabelKind = 'scalar'): Program {
  const live = simplify(program, labels);
  const renaming = new Renaming(
    FUNCTION_NAMES.flatMap((f) => live[f]),
    labels,
  );
  return forFunctions((f) => live[f].map((instruction) => renameInstruction(instruction, renaming)));
}

/** The hash of the canonical form, as 16 hexadecimal digits. */
export function canonicalHash(program: Program, labels: LabelKind = 'scalar'): string {
  const canonical = canonicalize(program, labels);
  const hasher = new Hasher().word(labels === 'scalar' ? 0 : 1);
  for (const f of FUNCTION_NAMES) {
    hasher.word(canonical[f].length);
    for (const { op, in1, in2, out, index1, index2, const1, const2 } of canonical[f]) {
      hasher.word(packWord(op, in1, in2, out));
      // What does not fit into the word is hashed on its own as well.
      if (Math.max(in1, in2, out) >= CODE_ADDRESSES) hasher.word(in1).word(in2).word(out);
      const { indices, constantSpecs } = opById(op);
      if (indices > 0) hasher.word(index1).word(index2);
      if (constantSpecs.length > 0) hasher.number(const1);
      if (constantSpecs.length > 1) hasher.number(const2);
    }
  }
  return hasher.hex();
}
