// The fingerprint of a program: a hash of what it predicts after a few training steps and on a few validation examples, so that
// programs that compute the same in different ways are found equal (paper, "Functional Equivalence Checking").
import type { Examples, Task } from '../engine/engine.js';
import type { WasmEngine } from '../engine/wasm/engine.js';
import type { WasmEvaluator } from '../engine/wasm/evaluator.js';
import type { LiveCode } from '../program/flat/live-code.js';

export interface FingerprintOptions {
  /** Training and validation examples of each task. */
  readonly train: number;
  readonly valid: number;
  /** Tasks that are looked at, from the first on. */
  readonly tasks: number;
}

function firstExamples({ count, features, labels }: Examples, wanted: number, F: number): Examples {
  const some = Math.min(count, wanted);
  return { count: some, features: features.slice(0, some * F), labels: labels.slice(0, some) };
}

/** The task with its first examples only. */
export function shortenTask(task: Task, { train, valid }: { train: number; valid: number }): Task {
  return {
    ...task,
    train: firstExamples(task.train, train, task.features),
    valid: firstExamples(task.valid, valid, task.features),
  };
}

export class Fingerprinter {
  /** The halves of the last fingerprint. */
  high = 0;
  low = 0;
  private readonly evaluator: WasmEvaluator;

  constructor(engine: WasmEngine, tasks: readonly Task[], options: FingerprintOptions) {
    const some = tasks.slice(0, options.tasks).map((task) => shortenTask(task, options));
    this.evaluator = engine.prepare(some, { trace: true });
  }

  /** Leaves the fingerprint in `high` and `low`, and gives the training steps that it took. */
  run(live: LiveCode): number {
    const { evaluator } = this;
    evaluator.runLive(live);
    const digest = evaluator.readDigest();
    this.low = digest[0]!;
    this.high = digest[1]!;
    return evaluator.countTrainSteps();
  }

  dispose(): void {
    this.evaluator.dispose();
  }
}
