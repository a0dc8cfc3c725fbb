// What a search must know of every candidate: its live instructions, and the hash of its canonical form. Does it in WebAssembly, in
// the memory of the store that the program lies in (code-kernels.ts). Must not run anything.
import { OPERAND_TYPES, typeNumber } from '../../ops/by-number.js';
import { OPS } from '../../ops/ops.js';
import { type LabelKind, memorySize, TASK_ADDRESSES } from '../program.js';
import { type CodeKernels, codeKernels } from './code-kernels.js';
import { CODE_ADDRESSES, type CodeLayout, RESULT } from './code-layout.js';
import type { CodeStore } from './code-store.js';
import type { HashStart } from './hash-kernel.js';
import { NO_SLOT, OP_FLAG } from './kernel-parts.js';
import { type LiveArrays, LiveCode } from './live-code.js';
import { MAX_BITS } from './live-kernel.js';

/** Bytes of the slots of one type in their table. */
const ROW = 4 * CODE_ADDRESSES;
/** Operands that an op does not have are looked up in a row without slots. */
const rowOf = (type: number) => (type < 0 ? OPERAND_TYPES.length * ROW : type * ROW);

/** Of each op, the words of its OP_ENTRY. */
const OP_WORDS = Int32Array.from(
  OPS.flatMap((op) => [
    rowOf(typeNumber(op.output)),
    rowOf(typeNumber(op.inputs[0])),
    rowOf(typeNumber(op.inputs[1])),
    (op.output !== undefined && !op.overwrites ? OP_FLAG.setsElement : 0) |
      (op.commutes ? OP_FLAG.commutes : 0) |
      (op.indices > 0 ? OP_FLAG.hasIndices : 0) |
      (op.constantSpecs.length > 0 ? OP_FLAG.hasConstants : 0) |
      (op.constantSpecs.length > 1 ? OP_FLAG.hasTwoConstants : 0),
  ]),
);

/** In the order of their slots. */
function fixedAddresses(labels: LabelKind) {
  const { features, label, prediction } = TASK_ADDRESSES[labels];
  return [features, label, prediction];
}

/** Addresses with a fixed meaning keep their names; the others of a type come after them. */
function hashStart(labels: LabelKind): HashStart {
  const fixed = fixedAddresses(labels);
  return {
    word: labels === 'scalar' ? 0 : 1,
    names: fixed.map(({ address }) => address),
    next: OPERAND_TYPES.map((type) =>
      fixed.reduce((most, other) => (other.type === type ? Math.max(most, other.address + 1) : most), 0),
    ),
  };
}

function liveArrays(buffer: ArrayBuffer, layout: CodeLayout): LiveArrays {
  const words = (at: number) => new Int32Array(buffer, at, layout.instructions);
  return {
    ops: words(layout.liveOps),
    out: words(layout.liveOut),
    in1: words(layout.liveIn1),
    in2: words(layout.liveIn2),
    marks: words(layout.liveMarks),
    index1: words(layout.liveIndex1),
    index2: words(layout.liveIndex2),
    constants: new Float64Array(buffer, layout.liveConstants, 2 * layout.instructions),
    slotType: new Int32Array(buffer, layout.slotTypes, OPERAND_TYPES.length * CODE_ADDRESSES),
  };
}

export class CodeAnalyser {
  readonly labels: LabelKind;
  /** The live instructions of the last program. */
  live: LiveCode;
  /** The halves of the hash of its canonical form. */
  high = 0;
  low = 0;

  private store: CodeStore | undefined;
  private kernels!: CodeKernels;
  private result = new Int32Array(RESULT.words);
  /** The types of the store's slots, and whether they are where the kernels look for them. */
  private storeTypes: readonly number[] = [];
  private hasTypesOfStore = false;

  constructor(labels: LabelKind) {
    this.labels = labels;
    this.live = new LiveCode(labels);
  }

  run(store: CodeStore, place: number): void {
    if (store !== this.store) this.bind(store);
    const { live, result } = this;
    const slots = this.storeTypes.length;
    if (!this.hasTypesOfStore) this.writeTypes();
    if (slots <= MAX_BITS && this.kernels.analyse(place, slots) === 1) {
      live.slotCount = slots;
      live.firstOfPredict = result[RESULT.bounds + 1]!;
      live.firstOfLearn = result[RESULT.bounds + 2]!;
      live.end = result[RESULT.bounds + 3]!;
    } else {
      // More slots than bits, or elements that are set elsewhere than in Setup.
      this.hasTypesOfStore = false;
      live.setProgram(store.read(place));
      result.set([0, live.firstOfPredict, live.firstOfLearn, live.end], RESULT.bounds);
      this.kernels.hash(live.slotCount);
    }
    this.high = result[RESULT.high]!;
    this.low = result[RESULT.low]!;
  }

  private writeTypes(): void {
    this.live.slotType.set(this.storeTypes);
    this.hasTypesOfStore = true;
  }

  private bind(store: CodeStore): void {
    const { layout, wasmMemory } = store;
    const { buffer } = wasmMemory;
    this.store = store;
    this.kernels = codeKernels(wasmMemory, layout, hashStart(this.labels));
    this.result = new Int32Array(buffer, layout.result, RESULT.words);
    this.result.fill(0);
    this.live = new LiveCode(this.labels, liveArrays(buffer, layout));
    new Int32Array(buffer, layout.ops, OP_WORDS.length).set(OP_WORDS);
    // What comes before the identities is that of no operand.
    new Int32Array(buffer, layout.identities - 4, 1).fill(NO_SLOT);
    this.storeTypes = this.giveSlots(store);
    this.hasTypesOfStore = false;
  }

  /** Numbers the addresses of the store's programs, and gives their types. */
  private giveSlots({ memory, layout, wasmMemory }: CodeStore): number[] {
    const rows = (OPERAND_TYPES.length + 1) * CODE_ADDRESSES;
    const slots = new Int32Array(wasmMemory.buffer, layout.slotTable, rows).fill(NO_SLOT);
    const types: number[] = [];
    const give = (type: number, address: number) => {
      const at = type * CODE_ADDRESSES + address;
      if (slots[at] !== NO_SLOT) return;
      slots[at] = types.length;
      types.push(type);
    };
    for (const { type, address } of fixedAddresses(this.labels)) give(typeNumber(type), address);
    OPERAND_TYPES.forEach((name, type) => {
      for (let address = 0; address < memorySize(memory, name); address++) give(type, address);
    });
    return types;
  }
}
