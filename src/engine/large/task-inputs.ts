// Writes the examples of a task to where a program finds them. Must not know what programs do.
import { type LabelKind, TASK_ADDRESSES } from '../../program/program.js';
import { type Examples, labelKind, type Task } from '../engine.js';
import type { VectorMemory } from './vector-memory.js';

export class TaskInputs {
  private readonly features: number;
  private readonly labels: LabelKind;

  constructor({ features, loss }: Task) {
    this.features = features;
    this.labels = labelKind(loss);
  }

  /** Predict does not see the label. */
  writeForPredict(memory: VectorMemory, examples: Examples, k: number): void {
    this.writeFeatures(memory, examples, k);
    this.label(memory).fill(0);
  }

  writeForLearn(memory: VectorMemory, examples: Examples, k: number): void {
    this.writeFeatures(memory, examples, k);
    const label = examples.labels[k]!;
    const place = this.label(memory).fill(0);
    if (this.labels === 'vector') place[label] = 1;
    else place[0] = label;
  }

  private label(memory: VectorMemory): Float64Array | Float32Array {
    const { type, address } = TASK_ADDRESSES[this.labels].label;
    return memory.numbers(type as 's' | 'v', address);
  }

  private writeFeatures(memory: VectorMemory, { features }: Examples, k: number): void {
    const F = this.features;
    memory.numbers('v', TASK_ADDRESSES[this.labels].features.address).set(features.subarray(k * F, (k + 1) * F));
  }
}
