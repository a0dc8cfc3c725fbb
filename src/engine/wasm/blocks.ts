// Writes tasks into the memory of the fast engine: those of the same numbers of examples side by side, in blocks that run in step. Must
// not know programs.
import { deriveKey } from '../../util/random.js';
import type { Examples, Task } from '../engine.js';
import { BLOCK, exampleBytes, labelOffset, resultLayout } from './encoding.js';
import { heap } from './heap.js';
import type { Layout } from './layout.js';

/** Tasks that run at once, and where their data lie. */
export interface Block {
  /** Places of the tasks in the list that was given. */
  readonly places: readonly number[];
  readonly trainCount: number;
  readonly validCount: number;
  readonly result: number;
  readonly trace: number;
}

/** Tasks of the same numbers of examples, which can run in step. */
export function groupTasks(tasks: readonly Task[], size: number): number[][] {
  const groups = new Map<string, number[]>();
  for (const [k, { train, valid }] of tasks.entries()) {
    const key = `${train.count} ${valid.count}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [k]);
    else group.push(k);
  }
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / size) }, (_, k) => group.slice(k * size, (k + 1) * size)),
  );
}

export class BlockWriter {
  private readonly layout: Layout;
  private readonly resultAt: ReturnType<typeof resultLayout>;
  private readonly traceStep: number;
  private readonly allocate: (bytes: number) => number;

  /** `traceStep`: bytes that the trace of an example takes; 0 without a trace. */
  constructor(layout: Layout, traceStep: number, allocate: (bytes: number) => number) {
    this.layout = layout;
    this.resultAt = resultLayout(layout);
    this.traceStep = traceStep;
    this.allocate = allocate;
  }

  /** Writes tasks of the same numbers of examples, and at an address where they lie. */
  write(places: readonly number[], tasks: readonly Task[], address: number): Block {
    const { layout, resultAt } = this;
    const { train, valid } = tasks[0]!;
    const traced = (train.count + valid.count) * this.traceStep;
    const block: Block = {
      places,
      trainCount: train.count,
      validCount: valid.count,
      result: this.allocate(2 * resultAt.bytes),
      trace: traced > 0 ? this.allocate(traced) : 0,
    };
    // What a block's results are at first; evaluations copy it.
    const initial = block.result + resultAt.bytes;
    heap.u8.fill(0, initial, initial + resultAt.bytes);
    heap.u8.fill(0xff, initial + resultAt.alive, initial + resultAt.alive + tasks.length * layout.real.bytes);
    heap.f64.fill(Number.POSITIVE_INFINITY, (initial + resultAt.best) / 8, (initial + resultAt.lastStep) / 8);
    heap.setWord(address + BLOCK.train, this.writeExamples(tasks.map((task) => task.train)));
    heap.setWord(address + BLOCK.trainCount, train.count);
    heap.setWord(address + BLOCK.valid, this.writeExamples(tasks.map((task) => task.valid)));
    heap.setWord(address + BLOCK.validCount, valid.count);
    heap.setWord(address + BLOCK.randomStates, this.writeRandomStates(tasks));
    heap.setWord(address + BLOCK.result, block.result);
    heap.setWord(address + BLOCK.trace, block.trace);
    return block;
  }

  private writeRandomStates(tasks: readonly Task[]): number {
    const states = this.allocate(8 * this.layout.lanes);
    for (let lane = 0; lane < this.layout.lanes; lane++) {
      const { hi, lo } = deriveKey(tasks[Math.min(lane, tasks.length - 1)]!.seed);
      heap.setWord(states + 8 * lane, lo);
      heap.setWord(states + 8 * lane + 4, hi);
    }
    return states;
  }

  /** Examples of the tasks of a block, one example after the other. Lanes without a task repeat the last. */
  private writeExamples(tasks: readonly Examples[]): number {
    const { layout } = this;
    const { features: F, real, elementStride } = layout;
    const { count } = tasks[0]!;
    const stride = exampleBytes(layout) / real.bytes;
    const address = this.allocate(count * exampleBytes(layout));
    const numbers = heap.numbers(real);
    const start = address / real.bytes;
    const taskStep = layout.taskStride('v') / real.bytes;
    const elementStep = elementStride / real.bytes;
    const labels = labelOffset(layout) / real.bytes;
    numbers.fill(0, start, start + count * stride);
    for (let lane = 0; lane < layout.lanes; lane++) {
      const examples = tasks[Math.min(lane, tasks.length - 1)]!;
      for (let k = 0; k < count; k++) {
        const at = start + k * stride;
        numbers[at + labels + lane] = examples.labels[k]!;
        if (lane >= layout.tasks) continue;
        for (let i = 0; i < F; i++) numbers[at + lane * taskStep + i * elementStep] = examples.features[k * F + i]!;
      }
    }
    return address;
  }
}
