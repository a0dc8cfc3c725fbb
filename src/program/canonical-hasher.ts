// The hash of a program's canonical form without making that form: every candidate of a search is hashed, so this works on
// numbers and leaves no garbage. `canonicalHash` in canonical.ts is the definition; the two agree. Must not run anything.
import { OPS } from '../ops/ops.js';
import { Hasher } from '../util/hash.js';
import { canonicalWord, LARGE_ADDRESS } from './canonical.js';
import type { LiveCode } from './live-code.js';
import { OPERAND_TYPES, PREDICTION_SLOT } from './liveness-analysis.js';
import { type LabelKind, TASK_ADDRESSES } from './program.js';

const NO_SLOT = -1;
const UNNAMED = -1;

// By op number, for speed.
const COMMUTES = Uint8Array.from(OPS, (op) => Number(op.commutes));
const HAS_INDICES = Uint8Array.from(OPS, (op) => Number(op.indices > 0));
const HAS_CONSTANTS = Uint8Array.from(OPS, (op) => Number(op.constantSpecs.length > 0));
const HAS_TWO_CONSTANTS = Uint8Array.from(OPS, (op) => Number(op.constantSpecs.length > 1));

/** How an address occurs in an instruction, in the order of canonical.ts. */
const ROLE = { out: 0, either: 1, in1: 2, in2: 3 } as const;
/** After all roles: no further occurrence in this instruction. */
const NONE = 4;

/** Addresses with a fixed meaning, in the order of their slots, keep their names; the others of a type come after them. */
const FIXED = { scalar: fixedAddresses('scalar'), vector: fixedAddresses('vector') };

function fixedAddresses(labels: LabelKind) {
  const { features, label, prediction } = TASK_ADDRESSES[labels];
  const fixed = [features, label, prediction];
  const next = OPERAND_TYPES.map((type) =>
    fixed.reduce((most, other) => (other.type === type ? Math.max(most, other.address + 1) : most), 0),
  );
  return { addresses: fixed.map(({ address }) => address), next };
}

export class CanonicalHasher {
  /** The halves of the last hash. */
  high = 0;
  low = 0;

  private readonly labels: LabelKind;
  private readonly hasher = new Hasher();
  /** Of each slot, then of the zero of each type: its canonical address. */
  private names = new Int32Array(64);
  /**
   * Of each slot: itself, or, if it is never written and so holds zero for ever, what stands for the zero of its type. All of
   * these are one.
   */
  private identities = new Int32Array(64);
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

  private begin({ slotCount, slotType, out, end }: LiveCode): void {
    const slots = slotCount + OPERAND_TYPES.length;
    if (this.names.length < slots) {
      this.names = new Int32Array(2 * slots);
      this.identities = new Int32Array(2 * slots);
    }
    const { names, identities, next } = this;
    for (let slot = 0; slot < slotCount; slot++) {
      names[slot] = UNNAMED;
      identities[slot] = slotCount + slotType[slot]!;
    }
    for (let k = 0; k < end; k++) identities[out[k]!] = out[k]!;
    const fixed = FIXED[this.labels];
    for (let type = 0; type < OPERAND_TYPES.length; type++) {
      names[slotCount + type] = UNNAMED;
      next[type] = fixed.next[type]!;
    }
    for (let slot = 0; slot <= PREDICTION_SLOT; slot++) {
      names[slot] = fixed.addresses[slot]!;
      identities[slot] = slot;
    }
  }

  private rename(slot: number, type: number): number {
    const identity = this.identities[slot]!;
    const known = this.names[identity]!;
    if (known !== UNNAMED) return known;
    const name = this.next[type]!;
    this.next[type] = name + 1;
    this.names[identity] = name;
    return name;
  }

  private hashFunction(code: LiveCode, first: number, end: number): void {
    const { hasher } = this;
    const { ops, in1, in2, out, index1, index2, constants, slotType } = code;
    hasher.word(end - first);
    for (let k = first; k < end; k++) {
      const op = ops[k]!;
      let first = in1[k]!;
      let second = in2[k]!;
      let a = 0;
      let b = 0;
      if (second !== NO_SLOT) {
        const commutes = COMMUTES[op] === 1;
        if (commutes && this.prefersSecond(code, first, second, k)) {
          first = second;
          second = in1[k]!;
        }
        a = this.rename(first, slotType[first]!);
        b = this.rename(second, slotType[second]!);
        if (commutes && b < a) {
          const least = b;
          b = a;
          a = least;
        }
      } else if (first !== NO_SLOT) {
        a = this.rename(first, slotType[first]!);
      }
      const target = out[k]!;
      const c = this.rename(target, slotType[target]!);
      hasher.word(canonicalWord(op, a, b, c));
      if ((a | b | c) >= LARGE_ADDRESS) hasher.word(a).word(b).word(c);
      if (HAS_INDICES[op] === 1) hasher.word(index1[k]!).word(index2[k]!);
      if (HAS_CONSTANTS[op] === 1) hasher.number(constants[2 * k]!);
      if (HAS_TWO_CONSTANTS[op] === 1) hasher.number(constants[2 * k + 1]!);
    }
  }

  /** Whether the second of two interchangeable inputs is to be named first: the one that occurs earlier from here on. */
  private prefersSecond(code: LiveCode, first: number, second: number, from: number): boolean {
    const a = this.identities[first]!;
    const b = this.identities[second]!;
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
    const isAt = (slot: number) => slot !== NO_SLOT && this.identities[slot] === identity;
    let left = n;
    if (isAt(out[k]!) && left-- === 0) return ROLE.out;
    if (isAt(in1[k]!) && left-- === 0) return commutes ? ROLE.either : ROLE.in1;
    if (isAt(in2[k]!) && left-- === 0) return commutes ? ROLE.either : ROLE.in2;
    return NONE;
  }
}
