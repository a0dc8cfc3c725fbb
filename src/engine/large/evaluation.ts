// One program on one task: the loop over examples and epochs, and the early stops, step for step as in the interpreter. Must not know
// how instructions are run.
import { ROUND } from '../../ops/semantics.js';
import { memoryNeeded, type Program, TASK_ADDRESSES } from '../../program/program.js';
import { deriveKey } from '../../util/random.js';
import { type Examples, labelKind, MAX_ERROR, type Outcome, type Task } from '../engine.js';
import { fitnessOf, normalize, trainingError, validationError } from '../loss.js';
import { heap } from '../wasm/heap.js';
import type { LargeKernels } from './compile.js';
import { LookAhead } from './look-ahead.js';
import { Machine } from './machine.js';
import { type Phase, type Plan, type PlannedFunction, planProgram } from './plan.js';
import type { Regions } from './regions.js';
import { TaskInputs } from './task-inputs.js';

export interface EvaluationSettings {
  readonly epochs: number;
  readonly isTraced: boolean;
  readonly maxTrainSteps: number;
  /** A matrix is written out when more rank-one terms than this have been added to it. */
  readonly maxTerms: number;
}

export class Evaluation {
  private readonly task: Task;
  private readonly settings: EvaluationSettings;
  private readonly plan: Plan;
  private readonly machine: Machine;
  private readonly inputs: TaskInputs;
  private readonly lookAhead: LookAhead;
  private readonly round: (x: number) => number;
  private readonly setStep: (step: number) => void;
  private readonly trace: { trainErrors: number[]; validErrors: number[]; predictions: number[] } | undefined;
  private trainSteps = 0;

  constructor(kernels: LargeKernels, regions: Regions, program: Program, task: Task, settings: EvaluationSettings) {
    const labels = labelKind(task.loss);
    const sizes = memoryNeeded(program, labels);
    this.task = task;
    this.settings = settings;
    this.plan = planProgram(program, labels, settings.epochs);
    this.machine = new Machine(kernels, regions, sizes, settings.maxTerms);
    this.inputs = new TaskInputs(task);
    this.round = ROUND[kernels.layout.precision];
    const state = regions.allocate(8);
    const { hi, lo } = deriveKey(task.seed);
    heap.setWord(state, lo);
    heap.setWord(state + 4, hi);
    this.setStep = (step) => kernels.setStep(state, step);
    this.lookAhead = new LookAhead({
      kernels,
      regions,
      store: this.machine.store,
      sizes,
      inputs: this.inputs,
      capacity: settings.maxTerms,
      setStep: this.setStep,
    });
    this.trace = settings.isTraced ? { trainErrors: [], validErrors: [], predictions: [] } : undefined;
  }

  run(): Outcome {
    const { epochs, maxTrainSteps } = this.settings;
    const { loss, valid } = this.task;
    let least = Number.POSITIVE_INFINITY;
    this.setStep(0);
    for (const planned of this.plan.setup) this.machine.run(planned);
    for (let epoch = 0; epoch < epochs; epoch++) {
      const squaredErrors = this.train() ? this.validate() : undefined;
      if (squaredErrors === undefined) break;
      least = Math.min(least, squaredErrors);
      if (this.trainSteps >= maxTrainSteps) break;
    }
    const { trainSteps, trace } = this;
    const fitness = least === Number.POSITIVE_INFINITY ? 0 : fitnessOf(loss, least, valid.count);
    return { fitness, trainSteps, ...(trace !== undefined && { trace }) };
  }

  /** One pass over the training examples, or over as many as are allowed; false if an error stopped it. */
  private train(): boolean {
    const { round, inputs, machine } = this;
    const { loss, train } = this.task;
    const { training } = this.plan;
    const [predict, learn] = training.functions;
    const steps = Math.min(train.count, this.settings.maxTrainSteps - this.trainSteps);
    this.lookAhead.begin(training, train, steps, machine.memory);
    for (let k = 0; k < steps; k++) {
      this.trainSteps++;
      const prediction = this.predict(predict!, train, k);
      normalize(loss, prediction);
      this.writePrediction(prediction);
      const error = round(trainingError(loss, round(train.labels[k]!), prediction.map(round)));
      if (!(error <= MAX_ERROR)) return false;
      this.trace?.trainErrors.push(error);
      inputs.writeForLearn(machine.memory, train, k);
      this.call(learn!);
      this.endStep(training);
    }
    return true;
  }

  /** The sum of the squared errors of the validation examples; nothing if an error stopped it. */
  private validate(): number | undefined {
    const { round, machine } = this;
    const { loss, valid } = this.task;
    const { validation } = this.plan;
    const { store } = machine;
    store.keepOnly(validation.liveMatrices);
    // Many products with what was learned are worth writing it out.
    if (valid.count > this.settings.maxTerms) store.settle(0);
    this.lookAhead.begin(validation, valid, valid.count, machine.memory);
    let squaredErrors = 0;
    for (let k = 0; k < valid.count; k++) {
      const prediction = this.predict(validation.functions[0]!, valid, k);
      const error = round(validationError(loss, round(valid.labels[k]!), prediction));
      if (!(error <= MAX_ERROR)) return undefined;
      squaredErrors += error * error;
      this.trace?.validErrors.push(error);
      this.endStep(validation);
    }
    return squaredErrors;
  }

  /** Runs Predict on one more example; what it leaves as the prediction. */
  private predict(predict: PlannedFunction, examples: Examples, k: number): Float64Array {
    const { machine, inputs, trace } = this;
    machine.store.step++;
    this.setStep(machine.store.step);
    inputs.writeForPredict(machine.memory, examples, k);
    this.call(predict);
    const prediction = Float64Array.from(this.predictionNumbers());
    trace?.predictions.push(...prediction);
    return prediction;
  }

  private call({ code }: PlannedFunction): void {
    for (const planned of code) this.machine.run(planned, this.lookAhead.find);
  }

  private endStep({ liveMatrices }: Phase): void {
    const { store } = this.machine;
    store.keepOnly(liveMatrices);
    store.settleLong();
  }

  private predictionNumbers(): Float64Array | Float32Array {
    const { type, address } = TASK_ADDRESSES[labelKind(this.task.loss)].prediction;
    return this.machine.memory.numbers(type as 's' | 'v', address);
  }

  private writePrediction(prediction: Float64Array): void {
    this.predictionNumbers().set(prediction);
  }
}
