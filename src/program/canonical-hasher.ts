// The hash of a program's canonical form without making that form: every candidate of a search is hashed, so this works on
// numbers and leaves no garbage. `canonicalHash` in canonical.ts is the definition; the two agree. Must not run anything.
import { OPS } from '../ops/ops.js';
import { Hasher } from '../util/hash.js';
import type { LiveCode } from './live-code.js';
import { FEATURES_SLOT, LABEL_SLOT, OPERAND_TYPES, PREDICTION_SLOT } from './liveness-analysis.js';
import { type LabelKind, TASK_ADDRESSES } from './program.js';

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

  constructor(labels: LabelKind) {
    this.labels = labels;
  }

  /** Leaves the hash in `high` and `low`. */
  run(code: LiveCode): void {
    const { hasher } = this;
    const { firstOfPredict, firstOfLearn, end } = code;
    this.begin(code);
    hasher.reset().word(this.labels === 'scalar' ? 0 : 1);
    this.hashFunction(code, 0, firstOfPredict);
    this.hashFunction(code, firstOfPredict, firstOfLearn);
    this.hashFunction(code, firstOfLearn, end);
    this.high = hasher.high();
    this.low = hasher.low();
  }

  private begin(code: LiveCode): void {
    const { slotCount, out, end } = code;
    const identities = slotCount + OPERAND_TYPES.length;
    if (this.names.length < identities) {
      this.names = new Int32Array(2 * identities);
      this.isWritten = new Uint8Array(2 * identities);
    }
    const { names, isWritten } = this;
    for (let k = 0; k < identities; k++) {
      names[k] = UNNAMED;
      isWritten[k] = 0;
    }
    for (let k = 0; k < end; k++) isWritten[out[k]!] = 1;
    for (let type = 0; type < OPERAND_TYPES.length; type++) this.next[type] = 0;
    const { features, label, prediction } = TASK_ADDRESSES[this.labels];
    this.fix(code, FEATURES_SLOT, features.address);
    this.fix(code, LABEL_SLOT, label.address);
    this.fix(code, PREDICTION_SLOT, prediction.address);
  }

  /** Addresses with a fixed meaning keep their names; the others come after them. */
  private fix({ slotType }: LiveCode, slot: number, address: number): void {
    const type = slotType[slot]!;
    this.names[slot] = address;
    this.next[type] = Math.max(this.next[type]!, address + 1);
  }

  /** Slots that are never written hold zero for ever, so all of a type are one. */
  private identity({ slotType, slotCount }: LiveCode, slot: number): number {
    const isOwn = slot <= PREDICTION_SLOT || this.isWritten[slot] === 1;
    return isOwn ? slot : slotCount + slotType[slot]!;
  }

  private rename(code: LiveCode, slot: number): number {
    if (slot === NO_SLOT) return 0;
    const identity = this.identity(code, slot);
    const known = this.names[identity]!;
    if (known !== UNNAMED) return known;
    const name = this.next[code.slotType[slot]!]!++;
    this.names[identity] = name;
    return name;
  }

  private hashFunction(code: LiveCode, first: number, end: number): void {
    const { hasher } = this;
    const { ops, in1, in2, out, index1, index2, constants } = code;
    hasher.word(end - first);
    for (let k = first; k < end; k++) {
      const op = ops[k]!;
      const commutes = COMMUTES[op] === 1;
      const isSwapped = commutes && this.prefersSecond(code, in1[k]!, in2[k]!, k);
      let a = this.rename(code, isSwapped ? in2[k]! : in1[k]!);
      let b = this.rename(code, isSwapped ? in1[k]! : in2[k]!);
      if (commutes && b < a) {
        const least = b;
        b = a;
        a = least;
      }
      hasher.word(op).word(a).word(b).word(this.rename(code, out[k]!));
      if (HAS_INDICES[op] === 1) hasher.word(index1[k]!).word(index2[k]!);
      if (HAS_CONSTANTS[op] === 1) hasher.number(constants[2 * k]!).number(constants[2 * k + 1]!);
    }
  }

  /** Whether the second of two interchangeable inputs is to be named first: the one that occurs earlier from here on. */
  private prefersSecond(code: LiveCode, first: number, second: number, from: number): boolean {
    const a = this.identity(code, first);
    const b = this.identity(code, second);
    if (a === b || this.names[a] !== UNNAMED || this.names[b] !== UNNAMED) return false;
    for (let k = from; k < code.end; k++) {
      for (let n = 0; n < 3; n++) {
        const roleOfA = this.role(code, k, a, n);
        const roleOfB = this.role(code, k, b, n);
        if (roleOfA !== roleOfB) return roleOfB < roleOfA;
        if (roleOfA === NONE) break;
      }
    }
    return false;
  }

  /** The role of the n-th occurrence of an identity in an instruction. */
  private role(code: LiveCode, k: number, identity: number, n: number): number {
    const { ops, out, in1, in2 } = code;
    const commutes = COMMUTES[ops[k]!] === 1;
    const isAt = (slot: number) => slot !== NO_SLOT && this.identity(code, slot) === identity;
    let left = n;
    if (isAt(out[k]!) && left-- === 0) return ROLE.out;
    if (isAt(in1[k]!) && left-- === 0) return commutes ? ROLE.either : ROLE.in1;
    if (isAt(in2[k]!) && left-- === 0) return commutes ? ROLE.either : ROLE.in2;
    return NONE;
  }
}
