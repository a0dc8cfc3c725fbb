// Runs programs on tasks in WebAssembly: lays the tasks out once, then encodes and evaluates one program after the other, and
// JavaScript is entered once for each. Must not know how tasks are made or how fitnesses are used.
import { elements } from '../../ops/ops.js';
import type { OperandType } from '../../ops/types.js';
import { type Program, TASK_ADDRESSES } from '../../program/program.js';
import { deriveKey } from '../../util/random.js';
import {
  type EvaluateOptions,
  type Evaluator,
  type Examples,
  labelKind,
  MAX_ERROR,
  type Outcome,
  type Task,
  type Trace,
} from '../engine.js';
import { fitnessOf } from '../loss.js';
import type { Kernels } from './compile.js';
import { Encoder } from './encoder.js';
import { BLOCK, exampleBytes, JOB, labelOffset, resultLayout, traceBytes } from './encoding.js';
import { heap, MAX_BYTES, OutOfMemoryError } from './heap.js';
import type { Layout } from './layout.js';

/** Tasks that run at once, and where their data lie. */
interface Block {
  /** Places of the tasks in the list that was given. */
  readonly places: readonly number[];
  readonly train: Examples;
  readonly valid: Examples;
  readonly result: number;
  readonly trace: number;
}

/** What the loop takes as no limit. */
const NO_LIMIT = 2 ** 31 - 1;

/** Tasks of the same numbers of examples, which can run in step. */
function groupTasks(tasks: readonly Task[], size: number): number[][] {
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

export class WasmEvaluator implements Evaluator {
  private readonly tasks: readonly Task[];
  private readonly layout: Layout;
  private readonly epochs: number;
  private readonly encoder: Encoder;
  private readonly regions: number[] = [];
  private readonly blocks: readonly Block[];
  private readonly job: number;
  private readonly predictionType: OperandType;
  private readonly evaluateJob: (job: number) => void;
  private readonly fitnesses: Float64Array;
  private readonly steps: Float64Array;
  private regionBytes = 0;
  private isDisposed = false;
  private maxTrainSteps = NO_LIMIT;

  /** The tasks must be checked (`checkTasks`). */
  constructor(kernels: Kernels, tasks: readonly Task[], { epochs = 1, trace = false }: EvaluateOptions) {
    const { loss } = tasks[0]!;
    const labels = labelKind(loss);
    this.tasks = tasks;
    this.layout = kernels.layout;
    this.epochs = epochs;
    this.predictionType = TASK_ADDRESSES[labels].prediction.type;
    this.fitnesses = new Float64Array(tasks.length);
    this.steps = new Float64Array(tasks.length);
    this.evaluateJob = kernels[loss]!;
    this.checkSize(trace);
    this.encoder = new Encoder(this.layout, labels);
    try {
      const groups = groupTasks(tasks, this.layout.tasks);
      this.job = this.allocate(JOB.bytes + groups.length * BLOCK.bytes);
      this.blocks = groups.map((places, k) => this.layOut(places, this.job + JOB.bytes + k * BLOCK.bytes, trace));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Trains and validates a program. What came of it is read by the methods below, until the next run. */
  run(program: Program, maxTrainSteps = Number.POSITIVE_INFINITY): void {
    const { job, encoder } = this;
    if (this.isDisposed) throw new Error('this evaluator has been disposed of');
    this.maxTrainSteps = Math.min(Math.max(0, Math.ceil(maxTrainSteps)), NO_LIMIT);
    encoder.encode(program);
    const { encoded } = encoder;
    const words = heap.i32;
    words[(job + JOB.setup) / 4] = encoded.setup;
    words[(job + JOB.predict) / 4] = encoded.predict;
    words[(job + JOB.learn) / 4] = encoded.learn;
    words[(job + JOB.codeEnd) / 4] = encoded.codeEnd;
    words[(job + JOB.memory) / 4] = encoded.memory;
    words[(job + JOB.memoryBytes) / 4] = encoded.memoryBytes;
    words[(job + JOB.features) / 4] = encoded.features;
    words[(job + JOB.label) / 4] = encoded.label;
    words[(job + JOB.prediction) / 4] = encoded.prediction;
    words[(job + JOB.rewriteFeatures) / 4] = encoded.predictWritesFeatures ? 1 : 0;
    words[(job + JOB.epochs) / 4] = this.epochs;
    words[(job + JOB.maxTrainSteps) / 4] = this.maxTrainSteps;
    words[(job + JOB.blocks) / 4] = this.blocks.length;
    this.evaluateJob(job);
  }

  /** The fitness on each task, after `run`. The array is reused. */
  readFitnesses(): Float64Array {
    const { best } = resultLayout(this.layout);
    const { loss } = this.tasks[0]!;
    for (const { places, result, valid } of this.blocks) {
      for (let lane = 0; lane < places.length; lane++) {
        const least = heap.f64[(result + best) / 8 + lane]!;
        this.fitnesses[places[lane]!] = least === Number.POSITIVE_INFINITY ? 0 : fitnessOf(loss, least, valid.count);
      }
    }
    return this.fitnesses;
  }

  /** Training steps of each task, after `run`. The array is reused. */
  readTrainSteps(): Float64Array {
    const { lastStep } = resultLayout(this.layout);
    for (const { places, result, train, valid } of this.blocks) {
      for (let lane = 0; lane < places.length; lane++) {
        const last = heap.i32[(result + lastStep) / 4 + lane]!;
        this.steps[places[lane]!] = trainStepsAt(last, train.count, valid.count, this.maxTrainSteps);
      }
    }
    return this.steps;
  }

  evaluate(program: Program, maxTrainSteps = Number.POSITIVE_INFINITY): Outcome[] {
    this.run(program, maxTrainSteps);
    const fitnesses = this.readFitnesses();
    const steps = this.readTrainSteps();
    const traces = new Map(
      this.blocks.flatMap((block) =>
        block.trace === 0 ? [] : block.places.map((place, lane) => [place, this.readTrace(block, lane)] as const),
      ),
    );
    return this.tasks.map((_, k) => {
      const trace = traces.get(k);
      return { fitness: fitnesses[k]!, trainSteps: steps[k]!, ...(trace !== undefined && { trace }) };
    });
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    for (const region of this.regions) heap.release(region);
    this.encoder.dispose();
  }

  /** Bytes of WebAssembly memory that are in use for this evaluator. */
  get bytes(): number {
    return this.regionBytes + this.encoder.bytes;
  }

  private allocate(bytes: number): number {
    const region = heap.allocate(bytes);
    this.regions.push(region);
    this.regionBytes += bytes;
    return region;
  }

  /** Says at once if the data cannot fit, rather than after laying out a part of them. */
  private checkSize(trace: boolean): void {
    const perExample = exampleBytes(this.layout) + (trace ? traceBytes(this.layout, this.predictionType) : 0);
    const needed = groupTasks(this.tasks, this.layout.tasks).reduce((total, [first]) => {
      const { train, valid } = this.tasks[first!]!;
      return total + (train.count + valid.count) * perExample;
    }, 0);
    if (needed > MAX_BYTES) {
      throw new OutOfMemoryError(
        `the examples of these tasks need ${(needed / 2 ** 30).toFixed(1)} GiB, and WebAssembly has at most 4: use fewer tasks, examples or features, or f32`,
      );
    }
  }

  private layOut(places: readonly number[], address: number, trace: boolean): Block {
    const { layout } = this;
    const tasks = places.map((place) => this.tasks[place]!);
    const { train, valid } = tasks[0]!;
    const result = resultLayout(layout);
    const block: Block = {
      places,
      train,
      valid,
      result: this.allocate(2 * result.bytes),
      trace: trace ? this.allocate(this.traceSteps(train, valid) * traceBytes(layout, this.predictionType)) : 0,
    };
    const data = {
      train: this.writeExamples(tasks.map((task) => task.train)),
      valid: this.writeExamples(tasks.map((task) => task.valid)),
      states: this.allocate(8 * layout.scalarChunks * layout.real.lanes),
    };
    for (let lane = 0; lane < layout.scalarChunks * layout.real.lanes; lane++) {
      const { hi, lo } = deriveKey(tasks[Math.min(lane, tasks.length - 1)]!.seed);
      heap.i32[data.states / 4 + 2 * lane] = lo;
      heap.i32[data.states / 4 + 2 * lane + 1] = hi;
    }
    // What a block's results are at first; evaluations copy it.
    const initial = block.result + result.bytes;
    heap.u8.fill(0, initial, initial + result.bytes);
    heap.u8.fill(0xff, initial + result.alive, initial + result.alive + tasks.length * layout.real.bytes);
    heap.f64.fill(Number.POSITIVE_INFINITY, (initial + result.best) / 8, (initial + result.lastStep) / 8);
    const words = heap.i32;
    words[(address + BLOCK.train) / 4] = data.train;
    words[(address + BLOCK.trainCount) / 4] = train.count;
    words[(address + BLOCK.valid) / 4] = data.valid;
    words[(address + BLOCK.validCount) / 4] = valid.count;
    words[(address + BLOCK.randomStates) / 4] = data.states;
    words[(address + BLOCK.result) / 4] = block.result;
    words[(address + BLOCK.trace) / 4] = block.trace;
    return block;
  }

  private traceSteps(train: Examples, valid: Examples): number {
    return this.epochs * (train.count + valid.count);
  }

  /** Examples of the tasks of a block, one example after the other. Lanes without a task repeat the last. */
  private writeExamples(tasks: readonly Examples[]): number {
    const { layout } = this;
    const { features: F, real, elementStride } = layout;
    const { count } = tasks[0]!;
    const stride = exampleBytes(layout) / real.bytes;
    const address = this.allocate(count * exampleBytes(layout));
    const numbers = real.bytes === 8 ? heap.f64 : heap.f32;
    const start = address / real.bytes;
    const taskStep = layout.taskStride('v') / real.bytes;
    const elementStep = elementStride / real.bytes;
    const labels = labelOffset(layout) / real.bytes;
    numbers.fill(0, start, start + count * stride);
    const lanes = layout.scalarChunks * real.lanes;
    for (let lane = 0; lane < lanes; lane++) {
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

  private readTrace({ places, train, valid, trace, result }: Block, lane: number): Trace {
    const { layout } = this;
    const { loss } = this.tasks[places[lane]!]!;
    const { real, elementStride } = layout;
    const numbers = real.bytes === 8 ? heap.f64 : heap.f32;
    const stride = traceBytes(layout, this.predictionType);
    const predictionAt = layout.usedBytes('s') + lane * layout.taskStride(this.predictionType);
    const last = heap.i32[(result + resultLayout(layout).lastStep) / 4 + lane]!;
    const errors = { train: [] as number[], valid: [] as number[] };
    const predictions: number[] = [];
    let trained = 0;
    let place = 0;
    for (let step = 0; step < last; step++) {
      const trainCount = Math.min(train.count, this.maxTrainSteps - trained);
      const isTraining = place < trainCount;
      const record = trace + step * stride;
      const error = numbers[record / real.bytes + lane]!;
      const stops = step === last - 1 && !(error <= MAX_ERROR);
      if (!stops || (loss !== 'rms' && !isTraining)) (isTraining ? errors.train : errors.valid).push(error);
      for (let k = 0; k < elements(this.predictionType, layout.features); k++) {
        predictions.push(numbers[(record + predictionAt + k * elementStride) / real.bytes]!);
      }
      place++;
      if (place === trainCount + valid.count) {
        place = 0;
        trained += trainCount;
      }
    }
    return { trainErrors: errors.train, validErrors: errors.valid, predictions };
  }
}

/** Of `steps` examples, how many were in training. */
function trainStepsAt(steps: number, train: number, valid: number, maxTrainSteps: number): number {
  let left = steps;
  let trained = 0;
  while (left > 0) {
    const now = Math.min(train, maxTrainSteps - trained, left);
    trained += now;
    left -= now + valid;
    if (now === 0 && train > 0 && maxTrainSteps - trained <= 0) break;
  }
  return trained;
}
