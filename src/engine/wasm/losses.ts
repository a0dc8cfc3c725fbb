// The three losses in WebAssembly: from predictions to errors, step for step as engine/loss.ts. Knows nothing of programs.
import { PARTIAL_SUMS, type Precision, ROUND } from '../../ops/semantics.js';
import {
  type Code,
  call,
  type FunctionBuilder,
  f64,
  f64x2,
  get,
  i32,
  type Local,
  set,
  v128,
  when,
} from '../../wasm/assembler.js';
import { CLASSES, type Loss } from '../engine.js';
import { sigmoid } from '../loss.js';
import { labelOffset, resultLayout } from './encoding.js';
import type { KernelParts } from './kernels.js';
import { loadChunk, type Moving, type Pointer, repeat, storeChunk } from './pointers.js';
import { eachPair } from './primitives.js';
import { CHUNK } from './reals.js';
import { fold } from './sums.js';

type LossParts = Pick<KernelParts, 'module' | 'layout' | 'elementary'>;

/** The largest number that does not count as the second of two classes, found by halving. */
function decisionBoundary(precision: Precision): number {
  let [low, high] = [0, 1];
  for (;;) {
    const middle = ROUND[precision]((low + high) / 2);
    if (middle === low || middle === high) return low;
    if (sigmoid(middle) > 0.5) high = middle;
    else low = middle;
  }
}

/** The locals that the code of a loss works on. */
export interface Scope {
  readonly f: FunctionBuilder;
  readonly prediction: Local;
  readonly label: Local;
  readonly example: Local;
  readonly result: Local;
}

type Emit = (scope: Scope) => Code;

interface LossCode {
  /** Normalizes the predictions and leaves the errors of training in `errors`. */
  readonly train: Emit;
  /** Leaves the errors of validation in `errors`. */
  readonly validate: Emit;
}

function scalarLoss({ layout, elementary }: LossParts, loss: 'rms' | 'accuracy'): LossCode {
  const { real, scalarChunks } = layout;
  const errors = resultLayout(layout).errors;
  const chunks = (f: FunctionBuilder, scope: Scope, write: (w: Chunk) => Code): Code => {
    const at = (base: Local, offset: number): Moving => [{ base, offset }, CHUNK];
    const moving = [at(scope.prediction, 0), at(scope.example, labelOffset(layout)), at(scope.result, errors)];
    return repeat(f, scalarChunks, scalarChunks <= 8 ? scalarChunks : 1, moving, (prediction, label, error) =>
      write({ prediction, label, error }),
    );
  };
  interface Chunk {
    readonly prediction: Pointer;
    readonly label: Pointer;
    readonly error: Pointer;
  }
  const difference = ({ prediction, label, error }: Chunk) =>
    storeChunk(error, real.abs(real.sub(loadChunk(label), loadChunk(prediction))));
  if (loss === 'rms') {
    const both: Emit = (scope) => chunks(scope.f, scope, difference);
    return { train: both, validate: both };
  }
  const boundary = real.constant(decisionBoundary(layout.precision));
  return {
    train: (scope) =>
      chunks(scope.f, scope, (w) => [
        storeChunk(w.prediction, eachPair(real, scope.f, loadChunk(w.prediction), elementary.sigmoid)),
        difference(w),
      ]),
    validate: (scope) =>
      chunks(scope.f, scope, ({ prediction, label, error }) => {
        const isSecond = real.gt(loadChunk(prediction), boundary);
        const shouldBe = real.gt(loadChunk(label), real.constant(0.5));
        return storeChunk(error, v128.and(v128.xor(isSecond, shouldBe), real.constant(1)));
      }),
  };
}

function multiclassLoss({ module, layout, elementary }: LossParts): LossCode {
  const { real, tasks, elementStride, features } = layout;
  const errors = resultLayout(layout).errors;
  const at = (base: Local, k: number) => real.load(get(base), k * elementStride);
  const classes = Array.from({ length: CLASSES }, (_, k) => k);

  /** Probabilities of the classes in place of one task's prediction, whose address is the parameter. */
  const softmax = module.func({ params: ['i32'] }, (f) => {
    const prediction = f.params[0]!;
    const { largest, total } = f.locals('f64', 'largest', 'total');
    const values = classes.map(() => f.local('f64'));
    const pair = f.local('v128');
    const partial = values.slice(0, 8).map(get);
    partial[0] = f64.add(partial[0]!, get(values[8]!));
    partial[1] = f64.add(partial[1]!, get(values[9]!));
    const maximum = values.map(get).reduce(f64.max);
    const exponentials = (a: Local, b: Local): Code => {
      const from = (value: Local) => f64.sub(get(value), get(largest));
      const both = f64x2.replace(f64x2.splat(from(a)), 1, from(b));
      return [
        set(pair, call(elementary.exp, both)),
        set(a, f64x2.extract(get(pair), 0)),
        set(b, f64x2.extract(get(pair), 1)),
      ];
    };
    return [
      values.map((value, k) => set(value, at(prediction, k))),
      set(largest, maximum),
      values.map((value, k) => (k % 2 === 0 ? exponentials(value, values[k + 1]!) : [])),
      set(total, fold(f64.add, partial, PARTIAL_SUMS)),
      values.map((value, k) => real.store(get(prediction), k * elementStride, f64.div(get(value), get(total)))),
      repeat(f, features - CLASSES, 1, [[{ base: prediction, offset: CLASSES * elementStride }, elementStride]], (to) =>
        real.store(get(to.base), to.offset, f64.const(0)),
      ),
    ];
  });
  /** The class that one task's prediction names. */
  const mostLikely = module.func({ params: ['i32'], results: ['i32'] }, (f) => {
    const prediction = f.params[0]!;
    const [best, value, largest] = [f.local('i32'), f.local('f64'), f.local('f64')];
    return [
      set(largest, at(prediction, 0)),
      classes
        .slice(1)
        .map((k) => [
          set(value, at(prediction, k)),
          when(f64.gt(get(value), get(largest)), set(best, i32.const(k)), set(largest, get(value))),
        ]),
      // A first component that is not a number is never exceeded.
      get(best),
    ];
  });

  const eachTask = (scope: Scope, error: (prediction: Pointer, label: Code) => Code): Code => {
    const moving: Moving[] = [
      [{ base: scope.prediction, offset: 0 }, layout.taskStride('v')],
      [{ base: scope.example, offset: labelOffset(layout) }, real.bytes],
      [{ base: scope.result, offset: errors }, real.bytes],
    ];
    return repeat(scope.f, tasks, 1, moving, (prediction, label, to) =>
      real.store(get(to.base), to.offset, error(prediction, real.load(get(label.base), label.offset))),
    );
  };
  const address = (pointer: Pointer) => i32.add(get(pointer.base), i32.const(pointer.offset));
  return {
    train: (scope) =>
      eachTask(scope, (prediction, label) => {
        const place = i32.add(address(prediction), i32.mul(i32.fromF64(label), i32.const(elementStride)));
        return [call(softmax, address(prediction)), f64.abs(f64.sub(f64.const(1), real.load(place, 0)))];
      }),
    validate: (scope) =>
      eachTask(scope, (prediction, label) =>
        f64.fromI32(i32.ne(call(mostLikely, address(prediction)), i32.fromF64(label))),
      ),
  };
}

/** The code of a loss. */
export function lossCode(parts: LossParts, loss: Loss): LossCode {
  return loss === 'multiclass' ? multiclassLoss(parts) : scalarLoss(parts, loss);
}
