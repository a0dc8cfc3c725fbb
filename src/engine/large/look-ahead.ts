// Products of matrices with vectors of the next examples, many at a time, which is several times faster than one by one: vectors that
// follow from examples and random draws alone can be computed in advance, in a memory of their own. Must not know how programs are
// judged.
import type { MemorySizes } from '../../program/program.js';
import type { Examples } from '../engine.js';
import { heap } from '../wasm/heap.js';
import { roundUp } from '../wasm/layout.js';
import { VECTOR_GROUP } from './block-kernels.js';
import { multiplyMany } from './block-work.js';
import type { LargeKernels } from './compile.js';
import type { FindProduct } from './machine.js';
import type { Base } from './matrix.js';
import type { MatrixStore } from './matrix-store.js';
import type { Phase, PlannedInstruction } from './plan.js';
import type { Regions } from './regions.js';
import type { TaskInputs } from './task-inputs.js';
import { VectorMemory } from './vector-memory.js';

/** Fewer products than this are not faster together. */
const FEWEST = 2;
/** Bases whose products with the vectors of one instruction are kept. */
const KEPT_BASES = 3;

/** Products of a base with the vectors of an instruction, from one step to another. */
interface Products {
  base: Base | undefined;
  from: number;
  to: number;
  readonly address: number;
}

/** What is known in advance of an instruction. */
interface Foreseen {
  /** Its vectors of the steps from `LookAhead.from` on. */
  readonly vectors: number;
  readonly products: Products[];
}

export interface LookAheadParts {
  readonly kernels: LargeKernels;
  readonly regions: Regions;
  readonly store: MatrixStore;
  readonly sizes: MemorySizes;
  readonly inputs: TaskInputs;
  /** Steps that are looked ahead, at most. */
  readonly capacity: number;
  /** Tells random ops which step it is. */
  readonly setStep: (step: number) => void;
}

export class LookAhead {
  private readonly kernels: LargeKernels;
  private readonly regions: Regions;
  private readonly store: MatrixStore;
  private readonly inputs: TaskInputs;
  private readonly capacity: number;
  private readonly setStep: (step: number) => void;
  private readonly memory: VectorMemory;
  private readonly foreseen = new Map<PlannedInstruction, Foreseen>();
  private phase: Phase | undefined;
  private examples: Examples | undefined;
  private firstStep = 0;
  private steps = 0;
  /** Vectors are recorded from this step up to, but without, that one. */
  private from = 0;
  private to = 0;

  constructor({ kernels, regions, store, sizes, inputs, capacity, setStep }: LookAheadParts) {
    this.kernels = kernels;
    this.regions = regions;
    this.store = store;
    this.inputs = inputs;
    this.capacity = roundUp(capacity, VECTOR_GROUP);
    this.setStep = setStep;
    this.memory = new VectorMemory(kernels, regions, sizes);
  }

  /** Starts at the first of so many examples of a phase, with the memory that the program has there. */
  begin(phase: Phase, examples: Examples, steps: number, memory: VectorMemory): void {
    this.phase = phase;
    this.examples = examples;
    this.steps = steps;
    this.firstStep = this.store.step + 1;
    this.from = this.firstStep;
    this.to = this.firstStep;
    this.memory.copyFrom(memory);
    for (const { products } of this.foreseen.values()) for (const known of products) known.base = undefined;
    for (const { foreseeableProducts } of phase.functions) {
      for (const planned of foreseeableProducts) this.foresee(planned);
    }
  }

  private foresee(planned: PlannedInstruction): void {
    if (this.foreseen.has(planned)) return;
    // Vectors are multiplied in groups, of which the last may begin within the last group's room.
    const vectors = this.regions.allocate((this.capacity + VECTOR_GROUP - 1) * this.kernels.stride);
    this.foreseen.set(planned, { vectors, products: [] });
  }

  /** The product of a base with the vector that an instruction has in the current step, if it can be known. */
  readonly find: FindProduct = (planned, base, vector) => {
    const isForeseen = this.phase!.functions.some(({ foreseeableProducts }) => foreseeableProducts.has(planned));
    if (!isForeseen) return this.findEqual(base, vector);
    const { products, vectors } = this.foreseen.get(planned)!;
    const { stride } = this.kernels;
    const { step } = this.store;
    const known = this.findKnown(products, base);
    if (known !== undefined) return known;
    const left = this.firstStep + this.steps - step;
    const count = Math.min(this.store.expectedLife(base), this.capacity, left);
    if (count < FEWEST) return undefined;
    this.record(step + count);
    const made = this.placeFor(products, base);
    multiplyMany(this.kernels, base.address, vectors + (step - this.from) * stride, made.address, count);
    made.base = base;
    made.from = step;
    made.to = step + count;
    return made.address;
  };

  private findKnown(products: readonly Products[], base: Base): number | undefined {
    const { step } = this.store;
    const known = products.find((made) => made.base === base && made.from <= step && step < made.to);
    return known === undefined ? undefined : known.address + (step - known.from) * this.kernels.stride;
  }

  /** A product that was made for another instruction, whose vector is the same in the current step, zeros and their signs included. */
  private findEqual(base: Base, vector: number): number | undefined {
    const { features, real } = this.kernels.layout;
    const numbers = heap.numbers(real);
    for (const { products, vectors } of this.foreseen.values()) {
      const known = this.findKnown(products, base);
      if (known === undefined) continue;
      const [a, b] = [
        (vectors + (this.store.step - this.from) * this.kernels.stride) / real.bytes,
        vector / real.bytes,
      ];
      let k = 0;
      while (k < features && Object.is(numbers[a + k], numbers[b + k])) k++;
      if (k === features) return known;
    }
    return undefined;
  }

  /** Products that are replaced: those of the same base, or the oldest. */
  private placeFor(products: Products[], base: Base): Products {
    const same = products.find((made) => made.base === base);
    if (same !== undefined) return same;
    if (products.length < KEPT_BASES) {
      const address = this.regions.allocate(this.capacity * this.kernels.stride);
      products.push({ base, from: 0, to: 0, address });
      return products.at(-1)!;
    }
    return products.reduce((a, b) => (b.from < a.from ? b : a));
  }

  /** Computes what is foreseeable in all steps before `until`. */
  private record(until: number): void {
    const { stride } = this.kernels;
    const { step } = this.store;
    if (until - this.from > this.capacity) {
      for (const { vectors } of this.foreseen.values()) {
        const [begin, end] = [vectors + (step - this.from) * stride, vectors + (this.to - this.from) * stride];
        if (end > begin) heap.u8.copyWithin(vectors, begin, end);
      }
      this.from = step;
    }
    for (; this.to < until; this.to++) this.recordStep(this.to);
    this.setStep(step);
  }

  private recordStep(step: number): void {
    const { memory, inputs } = this;
    this.setStep(step);
    for (const { name, code, foreseeable, foreseeableProducts } of this.phase!.functions) {
      const [examples, k] = [this.examples!, step - this.firstStep];
      if (name === 'learn') inputs.writeForLearn(memory, examples, k);
      else inputs.writeForPredict(memory, examples, k);
      for (const planned of code) {
        // Steps that were not looked ahead to are only caught up with.
        if (step >= this.from && foreseeableProducts.has(planned)) {
          const to = this.foreseen.get(planned)!.vectors + (step - this.from) * this.kernels.stride;
          const vector = memory.placeOf('v', planned.instruction.in2);
          heap.u8.copyWithin(to, vector, vector + this.kernels.stride);
        }
        if (foreseeable.has(planned)) memory.run(planned);
      }
    }
  }
}
