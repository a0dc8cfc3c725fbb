// The hash of a program's canonical form without making that form: every candidate of a search is hashed, so this works on
// numbers and leaves no garbage. `canonicalHash` in canonical.ts is the definition; the two agree. Must not run anything.
import { OPS } from '../ops/ops.js';
import { Hasher } from '../util/hash.js';
import { FEATURES_SLOT, LABEL_SLOT, LivenessAnalysis, OPERAND_TYPES, PREDICTION_SLOT } from './liveness-analysis.js';
import { type Instruction, type LabelKind, type Program, TASK_ADDRESSES } from './program.js';

const NO_SLOT = -1;
const UNNAMED = -1;

// By op number, for speed.
const COMMUTES = Uint8Array.from(OPS, (op) => Number(op.commutes));
const HAS_INDICES = Uint8Array.from(OPS, (op) => Number(op.indices > 0));
const HAS_CONSTANTS = Uint8Array.from(OPS, (op) => Number(op.constantSpecs.length > 0));

/** How an address occurs in an instruction, in the order of canonical.ts. */
const ROLE = { out: 0, either: 1, in1: 2, in2: 3 } as const;
/** After all roles: no further occurrence in this instruction. */
const NONE = 4;

export class CanonicalHasher {
  /** Of the last program: which of its instructions are live. */
  readonly analysis = new LivenessAnalysis();
  /** The halves of the last hash. */
  high = 0;
  low = 0;

  private readonly labels: LabelKind;
  private readonly hasher = new Hasher();
  /** Of each slot, then of the zero of each type: its canonical address. */
  private names = new Int32Array(64);
  private isWritten = new Uint8Array(64);
  /** The next free address of each type. */
  private readonly next = new Int32Array(OPERAND_TYPES.length);
  private end = 0;

  constructor(labels: LabelKind) {
    this.labels = labels;
  }

  /** Leaves the hash in `high` and `low`. */
  run(program: Program): void {
    const { analysis, hasher, labels } = this;
    const { setup, predict, learn } = program;
    analysis.run(program, labels);
    const firstOfLearn = setup.length + predict.length;
    this.end = firstOfLearn + learn.length;
    this.begin();
    hasher.reset().word(labels === 'scalar' ? 0 : 1);
    this.hashFunction(setup, 0);
    this.hashFunction(predict, setup.length);
    this.hashFunction(learn, firstOfLearn);
    this.high = hasher.high();
    this.low = hasher.low();
  }

  private begin(): void {
    const { analysis, next } = this;
    const { slotCount, marks, out } = analysis;
    const identities = slotCount + OPERAND_TYPES.length;
    if (this.names.length < identities) {
      this.names = new Int32Array(2 * identities);
      this.isWritten = new Uint8Array(2 * identities);
    }
    this.names.fill(UNNAMED, 0, identities);
    this.isWritten.fill(0, 0, identities);
    for (let k = 0; k < this.end; k++) if (marks[k] !== 0) this.isWritten[out[k]!] = 1;
    next.fill(0);
    const { features, label, prediction } = TASK_ADDRESSES[this.labels];
    this.fix(FEATURES_SLOT, features.address);
    this.fix(LABEL_SLOT, label.address);
    this.fix(PREDICTION_SLOT, prediction.address);
  }

  /** Addresses with a fixed meaning keep their names; the others come after them. */
  private fix(slot: number, address: number): void {
    const type = this.analysis.slotType[slot]!;
    this.names[slot] = address;
    this.next[type] = Math.max(this.next[type]!, address + 1);
  }

  /** Slots that are never written hold zero for ever, so all of a type are one. */
  private identity(slot: number): number {
    const { slotType, slotCount } = this.analysis;
    const isOwn = slot <= PREDICTION_SLOT || this.isWritten[slot] === 1;
    return isOwn ? slot : slotCount + slotType[slot]!;
  }

  private rename(slot: number): number {
    if (slot === NO_SLOT) return 0;
    const identity = this.identity(slot);
    const known = this.names[identity]!;
    if (known !== UNNAMED) return known;
    const name = this.next[this.analysis.slotType[slot]!]!++;
    this.names[identity] = name;
    return name;
  }

  private hashFunction(body: readonly Instruction[], first: number): void {
    const { analysis, hasher } = this;
    const { marks, in1, in2, out } = analysis;
    let live = 0;
    for (let k = 0; k < body.length; k++) if (marks[first + k] !== 0) live++;
    hasher.word(live);
    for (let k = 0; k < body.length; k++) {
      const at = first + k;
      if (marks[at] === 0) continue;
      const instruction = body[k]!;
      const { op } = instruction;
      const commutes = COMMUTES[op] === 1;
      const isSwapped = commutes && this.prefersSecond(in1[at]!, in2[at]!, at);
      let a = this.rename(isSwapped ? in2[at]! : in1[at]!);
      let b = this.rename(isSwapped ? in1[at]! : in2[at]!);
      if (commutes && b < a) {
        const least = b;
        b = a;
        a = least;
      }
      hasher.word(op).word(a).word(b).word(this.rename(out[at]!));
      if (HAS_INDICES[op] === 1) hasher.word(instruction.index1).word(instruction.index2);
      if (HAS_CONSTANTS[op] === 1) hasher.number(instruction.const1).number(instruction.const2);
    }
  }

  /** Whether the second of two interchangeable inputs is to be named first: the one that occurs earlier from here on. */
  private prefersSecond(first: number, second: number, from: number): boolean {
    const a = this.identity(first);
    const b = this.identity(second);
    if (a === b || this.names[a] !== UNNAMED || this.names[b] !== UNNAMED) return false;
    for (let k = from; k < this.end; k++) {
      if (this.analysis.marks[k] === 0) continue;
      for (let n = 0; n < 3; n++) {
        const roleOfA = this.role(k, a, n);
        const roleOfB = this.role(k, b, n);
        if (roleOfA !== roleOfB) return roleOfB < roleOfA;
        if (roleOfA === NONE) break;
      }
    }
    return false;
  }

  /** The role of the n-th occurrence of an identity in an instruction. */
  private role(k: number, identity: number, n: number): number {
    const { ops, out, in1, in2 } = this.analysis;
    const commutes = COMMUTES[ops[k]!] === 1;
    let left = n;
    if (this.identity(out[k]!) === identity && left-- === 0) return ROLE.out;
    if (in1[k] !== NO_SLOT && this.identity(in1[k]!) === identity && left-- === 0)
      return commutes ? ROLE.either : ROLE.in1;
    if (in2[k] !== NO_SLOT && this.identity(in2[k]!) === identity && left-- === 0)
      return commutes ? ROLE.either : ROLE.in2;
    return NONE;
  }
}
