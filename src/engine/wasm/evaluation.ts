// The evaluation of a program on blocks of tasks, all in WebAssembly: setup, epochs of training and validation, tasks that
// stop early, traces. Follows engine/interpreter.ts step for step. Knows programs only as ranges of encoded instructions.
import { TASK_ADDRESSES } from '../../program/program.js';
import {
  block,
  branch,
  branchIf,
  branchTable,
  type Code,
  call,
  type Func,
  type FunctionBuilder,
  f64,
  f64x2,
  get,
  i32,
  type Local,
  leave,
  loop,
  set,
  setGlobal,
  tee,
  unreachable,
  v128,
  when,
} from '../../wasm/assembler.js';
import { CLASSES, type Loss, labelKind, MAX_ERROR } from '../engine.js';
import { BLOCK, exampleBytes, INSTRUCTION, JOB, labelOffset, resultLayout, traceBytes } from './encoding.js';
import type { Kernel, KernelParts } from './kernels.js';
import type { Layout } from './layout.js';
import { lossCode, type Scope } from './losses.js';
import { copyChunks, loadChunk, type Moving, moved, type Pointer, repeat, storeChunk, zeroChunks } from './pointers.js';
import { CHUNK, laneShuffle } from './reals.js';

interface EvaluationParts extends KernelParts {
  readonly kernels: readonly Kernel[];
}

/** Adds `run(begin, end)`: executes encoded instructions. */
function addRun({ module, kernels }: EvaluationParts): Func {
  return module.func({ params: ['i32', 'i32'] }, (f) => {
    const [pc, end] = f.params as [Local, Local];
    const next = i32.ltU(tee(pc, i32.add(get(pc), i32.const(INSTRUCTION.bytes))), get(end));
    const depths = kernels.map((_, k) => k);
    const dispatch = branchTable(i32.load(get(pc), INSTRUCTION.kernel), depths, kernels.length);
    // Kernel k stands behind block k; the way back to the loop's start leaves the blocks that are still open.
    const bodies = f.separate(kernels.map((kernel) => () => kernel(f, pc)));
    const cases = bodies.reduce<Code>(
      (inner, body, k) => [block(inner), body, branchIf(kernels.length - k, next), leave()],
      dispatch,
    );
    return [loop(block(cases)), unreachable];
  });
}

/**
 * Adds `stop(result, step)`: tasks whose current error is not at most MAX_ERROR stop here. Returns whether any still runs.
 */
function addStop({ module, layout }: EvaluationParts): Func {
  const { real, tasks } = layout;
  const { alive, errors, lastStep } = resultLayout(layout);
  return module.func({ params: ['i32', 'i32'], results: ['i32'] }, (f) => {
    const [result, step] = f.params as [Local, Local];
    const left = f.local('i32');
    const moving: Moving[] = [
      [{ base: result, offset: alive }, real.bytes],
      [{ base: result, offset: errors }, real.bytes],
      [{ base: result, offset: lastStep }, 4],
    ];
    return [
      repeat(f, tasks, 1, moving, (mask, error, last) =>
        when(
          i32.load(get(mask.base), mask.offset),
          block(
            branchIf(0, f64.le(real.load(get(error.base), error.offset), f64.const(MAX_ERROR))),
            i32.store(get(mask.base), mask.offset, i32.const(0)),
            real.bytes === 8 ? i32.store(get(mask.base), mask.offset + 4, i32.const(0)) : [],
            i32.store(get(last.base), last.offset, get(step)),
          ),
          set(left, i32.or(get(left), i32.load(get(mask.base), mask.offset))),
        ),
      ),
      get(left),
    ];
  });
}

/** Adds `close(result, step)`, after a validation: the sums of tasks that still run count if they are the best so far. */
function addClose({ module, layout }: EvaluationParts): Func {
  const { real, tasks } = layout;
  const { alive, totals, best, lastStep } = resultLayout(layout);
  return module.func({ params: ['i32', 'i32'] }, (f) => {
    const [result, step] = f.params as [Local, Local];
    const moving: Moving[] = [
      [{ base: result, offset: alive }, real.bytes],
      [{ base: result, offset: totals }, 8],
      [{ base: result, offset: best }, 8],
      [{ base: result, offset: lastStep }, 4],
    ];
    return repeat(f, tasks, 1, moving, (mask, total, least, last) =>
      when(
        i32.load(get(mask.base), mask.offset),
        i32.store(get(last.base), last.offset, get(step)),
        when(
          f64.lt(f64.load(get(total.base), total.offset), f64.load(get(least.base), least.offset)),
          f64.store(get(least.base), least.offset, f64.load(get(total.base), total.offset)),
        ),
      ),
    );
  });
}

/** Adds the squares of the errors of this example to the sums. */
function addToTotals(f: FunctionBuilder, layout: Layout, result: Local): Code {
  const { real, scalarChunks } = layout;
  const { errors, totals } = resultLayout(layout);
  const error = f.local('v128');
  const add = (pair: Code, to: Pointer): Code => {
    const value = f.local('v128');
    const square = f64x2.mul(tee(value, pair), get(value));
    return storeChunk(to, f64x2.add(loadChunk(to), square));
  };
  const moving: Moving[] = [
    [{ base: result, offset: errors }, CHUNK],
    [{ base: result, offset: totals }, 8 * real.lanes],
  ];
  return repeat(f, scalarChunks, scalarChunks <= 8 ? scalarChunks : 1, moving, (from, to) => {
    if (real.lanes === 2) return add(loadChunk(from), to);
    const upper = laneShuffle(real, get(error), get(error), [2, 3, 0, 1]);
    return [
      set(error, loadChunk(from)),
      add(f64x2.promoteLow(get(error)), to),
      add(f64x2.promoteLow(upper), moved(to, CHUNK)),
    ];
  });
}

/** Adds `evaluate(job)` for one loss: runs the program on every block of tasks. */
function addEvaluate(parts: EvaluationParts, loss: Loss, run: Func, stop: Func, close: Func): void {
  const { module, layout, random } = parts;
  const { real, scalarChunks } = layout;
  const labels = labelKind(loss);
  const types = {
    label: TASK_ADDRESSES[labels].label.type,
    prediction: TASK_ADDRESSES[labels].prediction.type,
  };
  const code = lossCode(parts, loss);
  const { alive, errors, totals, bytes: resultBytes } = resultLayout(layout);

  // A function of its own: this one runs for a whole evaluation, and V8 does not replace code that is running by a faster one.
  const copyFeatures = module.func({ params: ['i32', 'i32'] }, (f) => {
    const [to, from] = f.params as [Local, Local];
    return copyChunks(f, { base: to, offset: 0 }, { base: from, offset: 0 }, layout.usedBytes('v'));
  });

  const runBlock = module.func({ params: ['i32', 'i32'] }, (f) => {
    const [job, blockOfTasks] = f.params as [Local, Local];
    const loads: Code[] = [];
    const field = (of: Local, offset: number): Local => {
      const value = f.local('i32');
      loads.push(set(value, i32.load(get(of), offset)));
      return value;
    };
    const features = field(job, JOB.features);
    const label = field(job, JOB.label);
    const prediction = field(job, JOB.prediction);
    const setup = field(job, JOB.setup);
    const predict = field(job, JOB.predict);
    const learn = field(job, JOB.learn);
    const codeEnd = field(job, JOB.codeEnd);
    const epochs = field(job, JOB.epochs);
    const stepsLeft = field(job, JOB.maxTrainSteps);
    const rewrite = field(job, JOB.rewriteFeatures);
    const result = field(blockOfTasks, BLOCK.result);
    const trace = field(blockOfTasks, BLOCK.trace);
    const [example, step, left, anyFailed] = [f.local('i32'), f.local('i32'), f.local('i32'), f.local('v128')];
    const scope: Scope = { f, prediction, label, example, result };
    const at = (base: Local, offset = 0): Pointer => ({ base, offset });

    const setFeatures = call(copyFeatures, get(features), get(example));
    const clearLabel = zeroChunks(f, at(label), layout.usedBytes(types.label));
    const setLabel = (): Code => {
      if (types.label === 's') return copyChunks(f, at(label), at(example, labelOffset(layout)), layout.usedBytes('s'));
      const moving: Moving[] = [
        [at(label), layout.taskStride('v')],
        [at(example, labelOffset(layout)), real.bytes],
      ];
      return [
        clearLabel,
        repeat(f, layout.tasks, 1, moving, (to, from) => {
          const index = i32.fromF64(real.load(get(from.base), from.offset));
          const place = i32.add(get(to.base), i32.mul(index, i32.const(layout.elementStride)));
          return real.store(place, to.offset, f64.const(1));
        }),
      ];
    };
    const runRange = (begin: Local, end: Local) => when(i32.ne(get(begin), get(end)), call(run, get(begin), get(end)));
    const tracePrediction = when(
      get(trace),
      copyChunks(f, at(trace, layout.usedBytes('s')), at(prediction), layout.usedBytes(types.prediction)),
    );
    const traceErrors = when(
      get(trace),
      copyChunks(f, at(trace), at(result, errors), layout.usedBytes('s')),
      set(trace, i32.add(get(trace), i32.const(traceBytes(layout, types.prediction)))),
    );
    /** Predicts for the example, and stops tasks with too large an error. */
    const predictExample = (isTraining: boolean): Code => {
      const isWithin = (w: number) => real.le(loadChunk(at(result, errors + w * CHUNK)), real.constant(MAX_ERROR));
      const failed = (w: number) => v128.andNot(loadChunk(at(result, alive + w * CHUNK)), isWithin(w));
      const canFail = isTraining || loss === 'rms';
      const all = Array.from({ length: scalarChunks }, (_, w) => failed(w)).reduce(v128.or);
      return [
        setGlobal(random.step, tee(step, i32.add(get(step), i32.const(1)))),
        setFeatures,
        clearLabel,
        runRange(predict, learn),
        tracePrediction,
        isTraining ? code.train(scope) : code.validate(scope),
        traceErrors,
        canFail
          ? [
              set(anyFailed, all),
              when(v128.anyTrue(get(anyFailed)), when(i32.eqz(call(stop, get(result), get(step))), leave())),
            ]
          : [],
      ];
    };
    const pass = (examples: number, count: Code, body: Code): Code => [
      set(example, i32.load(get(blockOfTasks), examples)),
      set(left, count),
      loop(
        body,
        set(example, i32.add(get(example), i32.const(exampleBytes(layout)))),
        branchIf(0, tee(left, i32.sub(get(left), i32.const(1)))),
      ),
    ];
    const trainCount = f.local('i32');
    const train = pass(BLOCK.train, get(trainCount), [
      predictExample(true),
      when(get(rewrite), setFeatures),
      setLabel(),
      runRange(learn, codeEnd),
    ]);
    const validate = pass(BLOCK.valid, i32.load(get(blockOfTasks), BLOCK.validCount), [
      predictExample(false),
      addToTotals(f, layout, result),
    ]);
    return [
      loads,
      copyChunks(f, at(result), at(result, resultBytes), resultBytes),
      setGlobal(random.step, i32.const(0)),
      setGlobal(random.states, i32.load(get(blockOfTasks), BLOCK.randomStates)),
      runRange(setup, predict),
      loop(
        set(trainCount, i32.load(get(blockOfTasks), BLOCK.trainCount)),
        when(i32.ltU(get(stepsLeft), get(trainCount)), set(trainCount, get(stepsLeft))),
        when(get(trainCount), train),
        set(stepsLeft, i32.sub(get(stepsLeft), get(trainCount))),
        zeroChunks(f, at(result, totals), 8 * layout.lanes),
        validate,
        call(close, get(result), get(step)),
        set(epochs, i32.sub(get(epochs), i32.const(1))),
        branchIf(0, i32.and(i32.ne(get(epochs), i32.const(0)), i32.ne(get(stepsLeft), i32.const(0)))),
      ),
    ];
  });

  module.func({ params: ['i32'], exportAs: loss }, (f) => {
    const job = f.params[0]!;
    const { current, left } = f.locals('i32', 'current', 'left');
    return [
      set(left, i32.load(get(job), JOB.blocks)),
      set(current, i32.add(get(job), i32.const(JOB.bytes))),
      loop(
        zeroRange(f, i32.load(get(job), JOB.memory), i32.load(get(job), JOB.memoryBytes)),
        call(runBlock, get(job), get(current)),
        set(current, i32.add(get(current), i32.const(BLOCK.bytes))),
        branchIf(0, tee(left, i32.sub(get(left), i32.const(1)))),
      ),
    ];
  });
}

/** Sets a range of whole registers to zero. A loop: memory.fill costs more than the small memories of programs need. */
function zeroRange(f: FunctionBuilder, begin: Code, size: Code): Code {
  const { p, end } = f.locals('i32', 'p', 'end');
  return [
    set(p, begin),
    set(end, i32.add(get(p), size)),
    block(
      loop(
        branchIf(1, i32.eq(get(p), get(end))),
        v128.store(get(p), 0, v128.const(new Array<number>(CHUNK).fill(0))),
        set(p, i32.add(get(p), i32.const(CHUNK))),
        branch(0),
      ),
    ),
  ];
}

/** Adds `execute(begin, end)`, which runs instructions, and an evaluation for each loss, exported by its name. */
export function addEvaluations(parts: EvaluationParts): void {
  const run = addRun(parts);
  const stop = addStop(parts);
  const close = addClose(parts);
  addEvaluate(parts, 'rms', run, stop, close);
  addEvaluate(parts, 'accuracy', run, stop, close);
  if (parts.layout.features >= CLASSES) addEvaluate(parts, 'multiclass', run, stop, close);
  parts.module.func({ params: ['i32', 'i32'], exportAs: 'execute' }, (f) => {
    const [begin, end] = f.params as [Local, Local];
    return call(run, get(begin), get(end));
  });
}
