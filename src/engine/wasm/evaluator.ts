// Runs programs on tasks in WebAssembly: lays the tasks out once, then encodes and evaluates one program after the other, and
// JavaScript is entered once for each. Must not know how tasks are made or how fitnesses are used.
import { elements } from '../../ops/ops.js';
import type { OperandType } from '../../ops/types.js';
import type { LiveCode } from '../../program/flat/live-code.js';
import { type Program, TASK_ADDRESSES } from '../../program/program.js';
import { Hasher } from '../../util/hash.js';
import {
  type EvaluateOptions,
  type Evaluator,
  type Loss,
  labelKind,
  MAX_ERROR,
  type Outcome,
  type Task,
  type Trace,
  wholeSteps,
} from '../engine.js';
import { fitnessOf } from '../loss.js';
import { type Block, BlockWriter, groupTasks } from './blocks.js';
import type { Digest, Kernels } from './compile.js';
import { Encoder } from './encoder.js';
import { BLOCK, exampleBytes, JOB, resultLayout, traceBytes } from './encoding.js';
import { heap, MAX_BYTES, tooLargeEvaluation } from './heap.js';
import type { Layout } from './layout.js';
import { CHUNK } from './reals.js';

/** Training steps among all steps of a task, over epochs. */
function trainSteps(steps: number, trainCount: number, validCount: number): number {
  const perEpoch = trainCount + validCount;
  return Math.floor(steps / perEpoch) * trainCount + Math.min(trainCount, steps % perEpoch);
}

/** Tasks in the memory of the fast engine. `wasmEngine(...).prepare(tasks)` makes it; `dispose` gives the memory back. */
export class WasmEvaluator implements Evaluator {
  private readonly layout: Layout;
  private readonly loss: Loss;
  private readonly epochs: number;
  private readonly isTraced: boolean;
  private readonly predictionType: OperandType;
  private readonly resultAt: ReturnType<typeof resultLayout>;
  private readonly evaluateJob: (job: number) => void;
  private readonly encoder: Encoder;
  private readonly regions: number[] = [];
  private readonly blocks: readonly Block[];
  private readonly job: number;
  private readonly fitnesses: Float64Array;
  private readonly steps: Float64Array;
  /** Empty without a trace; and where each task's predictions begin. */
  private readonly predictions: Float64Array;
  private readonly predictionStarts: readonly number[];
  private readonly digest: Digest;
  private readonly digestWords = new Int32Array(2);
  private readonly hasher = new Hasher();
  private digestPlace = 0;
  private regionBytes = 0;
  private maxTrainSteps = 0;
  private hasRun = false;
  private isDisposed = false;

  /** The tasks must be checked (`checkTasks`). */
  constructor(kernels: Kernels, tasks: readonly Task[], { epochs = 1, trace = false }: EvaluateOptions) {
    const { loss } = tasks[0]!;
    const labels = labelKind(loss);
    this.layout = kernels.layout;
    this.loss = loss;
    this.epochs = epochs;
    this.isTraced = trace;
    this.predictionType = TASK_ADDRESSES[labels].prediction.type;
    this.resultAt = resultLayout(this.layout);
    this.fitnesses = new Float64Array(tasks.length);
    this.steps = new Float64Array(tasks.length);
    this.evaluateJob = kernels[loss]!;
    this.digest = labels === 'scalar' ? kernels.digestScalars : kernels.digestVectors!;
    const perExample = trace ? epochs * elements(this.predictionType, this.layout.features) : 0;
    let predictions = 0;
    this.predictionStarts = tasks.map(({ train, valid }) => {
      const start = predictions;
      predictions += (train.count + valid.count) * perExample;
      return start;
    });
    const groups = groupTasks(tasks, this.layout.tasks);
    this.checkSize(groups, tasks);
    this.predictions = new Float64Array(predictions);
    this.encoder = new Encoder(this.layout, labels);
    try {
      this.digestPlace = this.allocate(CHUNK);
      this.job = this.allocate(JOB.bytes + groups.length * BLOCK.bytes);
      const traceStep = trace ? epochs * traceBytes(this.layout, this.predictionType) : 0;
      const writer = new BlockWriter(this.layout, traceStep, (bytes) => this.allocate(bytes));
      this.blocks = groups.map((places, k) => {
        const ofBlock = places.map((place) => tasks[place]!);
        return writer.write(places, ofBlock, this.job + JOB.bytes + k * BLOCK.bytes);
      });
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /**
   * Trains and validates a program. What came of it is read by the methods below, until the next run. Training ends after
   * `maxTrainSteps` examples of each task, if given.
   */
  run(program: Program, maxTrainSteps?: number): void {
    this.begin(maxTrainSteps);
    this.encoder.encode(program);
    this.runEncoded();
  }

  /** The same for the live instructions of a program that is known to be valid. */
  runLive(live: LiveCode): void {
    this.begin(undefined);
    this.encoder.encodeLive(live);
    this.runEncoded();
  }

  private begin(maxTrainSteps: number | undefined): void {
    if (this.isDisposed) throw new Error('this evaluator has been disposed of');
    this.hasRun = false;
    this.maxTrainSteps = wholeSteps(maxTrainSteps);
  }

  private runEncoded(): void {
    const { job, encoder } = this;
    const { encoded } = encoder;
    heap.setWord(job + JOB.setup, encoded.setup);
    heap.setWord(job + JOB.predict, encoded.predict);
    heap.setWord(job + JOB.learn, encoded.learn);
    heap.setWord(job + JOB.codeEnd, encoded.codeEnd);
    heap.setWord(job + JOB.memory, encoded.memory);
    heap.setWord(job + JOB.memoryBytes, encoded.memoryBytes);
    heap.setWord(job + JOB.features, encoded.features);
    heap.setWord(job + JOB.label, encoded.label);
    heap.setWord(job + JOB.prediction, encoded.prediction);
    heap.setWord(job + JOB.rewriteFeatures, encoded.predictWritesFeatures ? 1 : 0);
    heap.setWord(job + JOB.epochs, this.epochs);
    heap.setWord(job + JOB.maxTrainSteps, this.maxTrainSteps);
    heap.setWord(job + JOB.blocks, this.blocks.length);
    this.evaluateJob(job);
    this.hasRun = true;
  }

  /** The fitness on each task, after `run`. The array is reused. */
  readFitnesses(): Float64Array {
    this.checkRead();
    for (const { places, result, validCount } of this.blocks) {
      const best = (result + this.resultAt.best) / 8;
      for (let lane = 0; lane < places.length; lane++) {
        const least = heap.f64[best + lane]!;
        const fitness = least === Number.POSITIVE_INFINITY ? 0 : fitnessOf(this.loss, least, validCount);
        this.fitnesses[places[lane]!] = fitness;
      }
    }
    return this.fitnesses;
  }

  /** Training steps of each task, after `run`. The array is reused. */
  readTrainSteps(): Float64Array {
    this.checkRead();
    for (const block of this.blocks) {
      const { places, trainCount, validCount } = block;
      for (let lane = 0; lane < places.length; lane++) {
        const trained = trainSteps(this.stepsOf(block, lane), trainCount, validCount);
        this.steps[places[lane]!] = Math.min(trained, this.maxTrainSteps);
      }
    }
    return this.steps;
  }

  /** Training steps of all tasks together, after `run`. */
  countTrainSteps(): number {
    this.checkRead();
    const words = heap.i32;
    let total = 0;
    for (let b = 0; b < this.blocks.length; b++) {
      const { places, result, trainCount, validCount } = this.blocks[b]!;
      const first = (result + this.resultAt.lastStep) / 4;
      for (let lane = 0; lane < places.length; lane++) {
        const steps = words[first + lane]!;
        const trained = this.epochs === 1 ? Math.min(steps, trainCount) : trainSteps(steps, trainCount, validCount);
        total += Math.min(trained, this.maxTrainSteps);
      }
    }
    return total;
  }

  /**
   * What Predict left in the prediction's address, for fingerprints: task after task, of each the examples that a trace
   * covers, NaN after it stopped. The array is reused.
   */
  readPredictions(): Float64Array {
    this.checkRead();
    if (!this.isTraced) throw new Error('there are no predictions: prepare with trace');
    const { layout, predictions, predictionType } = this;
    const { real } = layout;
    const numbers = heap.numbers(real);
    // Places in the array of numbers: whole, and small enough for the fast kind of number.
    const place = (bytes: number) => (bytes / real.bytes) | 0;
    const count = elements(predictionType, layout.features);
    const stepStride = place(traceBytes(layout, predictionType));
    const elementStride = place(layout.elementStride);
    const laneStride = place(layout.taskStride(predictionType));
    predictions.fill(Number.NaN);
    for (const block of this.blocks) {
      const first = place(block.trace + layout.usedBytes('s'));
      for (let lane = 0; lane < block.places.length; lane++) {
        let to = this.predictionStarts[block.places[lane]!]!;
        let from = first + lane * laneStride;
        for (let step = this.stepsOf(block, lane); step > 0; step--) {
          for (let k = 0; k < count; k++) predictions[to++] = numbers[from + k * elementStride]!;
          from += stepStride;
        }
      }
    }
    return predictions;
  }

  /**
   * A hash of what `readPredictions` would read, without the last digits of each number: 64 bits, the lower half first. Tasks that
   * stopped also count with what the program computed on them while others went on. The array is reused.
   */
  readDigest(): Int32Array {
    this.checkRead();
    if (!this.isTraced) throw new Error('there are no predictions: prepare with trace');
    const { digest, digestPlace } = this;
    const hasher = this.hasher.reset();
    for (const block of this.blocks) {
      let steps = 0;
      for (let lane = 0; lane < block.places.length; lane++) steps = Math.max(steps, this.stepsOf(block, lane));
      digest(block.trace, steps, digestPlace);
      hasher
        .word(steps)
        .word(heap.i32[digestPlace / 4]!)
        .word(heap.i32[digestPlace / 4 + 1]!);
    }
    this.digestWords[0] = hasher.low();
    this.digestWords[1] = hasher.high();
    return this.digestWords;
  }

  evaluate(program: Program, maxTrainSteps?: number): Outcome[] {
    this.run(program, maxTrainSteps);
    const fitnesses = this.readFitnesses();
    const steps = this.readTrainSteps();
    if (this.isTraced) this.readPredictions();
    const outcomes: Outcome[] = [];
    for (const block of this.blocks) {
      for (const [lane, place] of block.places.entries()) {
        const trace = this.isTraced ? { trace: this.readTrace(block, lane) } : {};
        outcomes[place] = { fitness: fitnesses[place]!, trainSteps: steps[place]!, ...trace };
      }
    }
    return outcomes;
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

  private checkRead(): void {
    if (this.isDisposed || !this.hasRun) throw new Error('there are no results: run a program first');
  }

  /** Examples that a task has seen, in training and validation. */
  private stepsOf({ result }: Block, lane: number): number {
    return heap.i32[(result + this.resultAt.lastStep) / 4 + lane]!;
  }

  /** Says at once if the data cannot fit, rather than after laying out a part of them. */
  private checkSize(groups: readonly (readonly number[])[], tasks: readonly Task[]): void {
    const traced = this.isTraced ? this.epochs * traceBytes(this.layout, this.predictionType) : 0;
    const perExample = exampleBytes(this.layout) + traced;
    const bytes = groups.reduce((total, [first]) => {
      const { train, valid } = tasks[first!]!;
      return total + (train.count + valid.count) * perExample;
    }, 0);
    if (bytes > MAX_BYTES) throw tooLargeEvaluation(bytes);
  }

  private readTrace(block: Block, lane: number): Trace {
    const { layout } = this;
    const numbers = heap.numbers(layout.real);
    const first = block.trace / layout.real.bytes + lane;
    const stride = traceBytes(layout, this.predictionType) / layout.real.bytes;
    const trainErrors: number[] = [];
    const validErrors: number[] = [];
    const steps = this.stepsOf(block, lane);
    let trained = 0;
    let place = 0;
    for (let step = 0; step < steps; step++) {
      const trainCount = Math.min(block.trainCount, this.maxTrainSteps - trained);
      const error = numbers[first + step * stride]!;
      // An error that stopped the task is not part of the trace.
      if (error <= MAX_ERROR) (place < trainCount ? trainErrors : validErrors).push(error);
      place++;
      if (place === trainCount + block.validCount) {
        place = 0;
        trained += trainCount;
      }
    }
    const start = this.predictionStarts[block.places[lane]!]!;
    const end = start + steps * elements(this.predictionType, layout.features);
    return { trainErrors, validErrors, predictions: Array.from(this.predictions.subarray(start, end)) };
  }
}
