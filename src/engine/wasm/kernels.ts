// One kernel for each op, made from its shape and primitive, and some more: fused pairs of ops and copies. A kernel is code that
// takes the address of an encoded instruction (encoding.ts) and works on all tasks of a block; long ones are functions. The list
// of kernels, whose numbers the encoder writes, is the same for every layout. Must not know tasks or losses.
import { elements, isOuter, OPS } from '../../ops/ops.js';
import type { Op, OperandType, ShapeName } from '../../ops/types.js';
import {
  type Code,
  call,
  FunctionBuilder,
  f64,
  f64x2,
  flatten,
  get,
  getGlobal,
  i32,
  i64,
  type Local,
  type ModuleBuilder,
  set,
} from '../../wasm/assembler.js';
import type { Elementary } from './elementary.js';
import { INSTRUCTION } from './encoding.js';
import type { Layout } from './layout.js';
import { loadChunk, type Moving, moved, type Pointer, repeat, storeChunk } from './pointers.js';
import { type Access, emitPointwise, type PointwiseInput } from './pointwise.js';
import { EMIT_MAP1, EMIT_MAP2 } from './primitives.js';
import { nextGaussians, nextUniform, type RandomFunctions } from './random.js';
import { CHUNK } from './reals.js';
import { emitDot, emitMatrixProduct, emitMatrixVector, emitReduce, emitReduceAxis } from './reductions.js';

/** What kernels are made of. */
export interface KernelParts {
  readonly module: ModuleBuilder;
  readonly layout: Layout;
  readonly elementary: Elementary;
  readonly random: RandomFunctions;
}

/** A kernel while it is being written: its instruction's operands. */
interface Body {
  readonly f: FunctionBuilder;
  readonly layout: Layout;
  readonly parts: KernelParts;
  /** Where an input lies. The third is that of fused pairs. */
  readonly input: (k: 0 | 1 | 2) => Pointer;
  readonly out: Pointer;
  readonly const1: Code;
  readonly const2: Code;
  readonly ordinal: Code;
}

type Emitter<S extends ShapeName> = (op: Extract<Op, { shape: S }>, body: Body) => Code;

/** How a pointwise op reads its inputs, and what it computes of one register of each. */
interface PointwiseForm {
  readonly accesses: readonly Access[];
  readonly value: (body: Body, inputs: readonly Code[]) => Code;
}

function pointwiseForm(op: Op): PointwiseForm | undefined {
  switch (op.shape) {
    case 'map1': {
      const emit = EMIT_MAP1[op.fn];
      return {
        accesses: ['same'],
        value: ({ f, layout, parts }, [x]) => emit(layout.real, x!, f, parts.elementary),
      };
    }
    case 'map2': {
      const emit = EMIT_MAP2[op.fn];
      return { accesses: ['same', 'same'], value: ({ layout }, [a, b]) => emit(layout.real, a!, b!) };
    }
    case 'scale':
      return { accesses: ['scalar', 'same'], value: ({ layout }, [a, b]) => layout.real.mul(a!, b!) };
    case 'broadcast':
      return { accesses: [op.from], value: (_, [a]) => a! };
    case 'contract':
      if (!isOuter(op)) return undefined;
      return { accesses: ['column', 'row'], value: ({ layout }, [a, b]) => layout.real.mul(a!, b!) };
    default:
      return undefined;
  }
}

function emitForm(output: OperandType, form: PointwiseForm, body: Body): Code {
  const inputs = form.accesses.map((access, k): PointwiseInput => ({ pointer: body.input(k as 0 | 1 | 2), access }));
  const value = (values: readonly Code[]) => form.value(body, values);
  return emitPointwise(body.f, body.layout, body.out, { output, inputs, value });
}

function pointwise(op: Op, body: Body): Code {
  return emitForm(op.output!, pointwiseForm(op)!, body);
}

const EMITTERS: { readonly [S in ShapeName]: Emitter<S> } = {
  none: () => [],
  map1: pointwise,
  map2: pointwise,
  scale: pointwise,
  broadcast: pointwise,
  reduce: (op, { f, layout, input, out }) => emitReduce(f, layout, op.fn, op.inputs[0]!, input(0), out),
  reduceAxis: (op, { f, layout, input, out }) => emitReduceAxis(f, layout, op.fn, op.axis, input(0), out),
  contract(op, body) {
    const form = pointwiseForm(op);
    if (form !== undefined) return emitForm('m', form, body);
    const emit = op.output === 's' ? emitDot : op.output === 'v' ? emitMatrixVector : emitMatrixProduct;
    return emit(body.f, body.layout, body.input(0), body.input(1), body.out);
  },
  transpose(_op, { f, layout, input, out }) {
    const { features: F, real, kind, scalarChunks, elementStride, tasks } = layout;
    const copy = (to: Pointer, from: Pointer): Code => {
      if (kind === 'lanes') {
        return Array.from({ length: scalarChunks }, (_, w) =>
          storeChunk(moved(to, w * CHUNK), loadChunk(moved(from, w * CHUNK))),
        );
      }
      const { load, store } = real.bytes === 8 ? i64 : i32;
      return store(get(to.base), to.offset, load(get(from.base), from.offset));
    };
    const rowStride = F * elementStride;
    const blocks = kind === 'lanes' ? 1 : tasks;
    const perTask = [out, input(0)].map((pointer): Moving => [pointer, F * rowStride]);
    return repeat(f, blocks, 1, perTask, (to, from) => {
      const rows: Moving[] = [
        [to, rowStride],
        [from, elementStride],
      ];
      return repeat(f, F, 1, rows, (toRow, column) => {
        const along: Moving[] = [
          [toRow, elementStride],
          [column, rowStride],
        ];
        return repeat(f, F, 4, along, copy);
      });
    });
  },
  /** The encoder has moved `out` to the element. */
  fillConst(op, { f, layout, out, const1 }) {
    const { real, kind, scalarChunks, tasks } = layout;
    const type = op.output!;
    if (kind === 'lanes' || type === 's') {
      const value = f.local('v128');
      const store = (_: unknown, w: number) => storeChunk(moved(out, w * CHUNK), get(value));
      return [set(value, real.splat(const1)), Array.from({ length: scalarChunks }, store)];
    }
    return repeat(f, tasks, 1, [[out, layout.taskStride(type)]], (to) => real.store(get(to.base), to.offset, const1));
  },
  fillRandom(op, { f, layout, parts, out, const1, const2, ordinal }) {
    const { random, elementary } = parts;
    const { real, features, tasks, elementStride } = layout;
    const [stream, low, width] = [f.local('i64'), f.local('f64'), f.local('f64')];
    const states: Pointer = { base: f.local('i32'), offset: 0 };
    const type = op.output!;
    const store = (to: Pointer, draw: Code) =>
      real.store(get(to.base), to.offset, f64.add(get(low), f64.mul(get(width), draw)));
    const count = elements(type, features);
    const fill = (first: Pointer): Code => {
      if (op.fn === 'uniform') {
        return repeat(f, count, 2, [[first, elementStride]], (to) => store(to, nextUniform(f, stream)));
      }
      const pair = f.local('v128');
      const draw = (draws: 1 | 2) => set(pair, nextGaussians(f, stream, elementary, draws));
      const storeLane = (to: Pointer, lane: number) => store(to, f64x2.extract(get(pair), lane));
      return [
        repeat(f, Math.floor(count / 2), 1, [[first, 2 * elementStride]], (to) => [
          draw(2),
          storeLane(to, 0),
          storeLane(moved(to, elementStride), 1),
        ]),
        count % 2 === 0 ? [] : [draw(1), storeLane(moved(first, (count - 1) * elementStride), 0)],
      ];
    };
    const perTask: Moving[] = [
      [out, layout.taskStride(type)],
      [states, 8],
    ];
    return [
      set(low, const1),
      set(width, op.fn === 'uniform' ? f64.sub(const2, const1) : const2),
      set(states.base, getGlobal(random.states)),
      repeat(f, tasks, 1, perTask, (first, state) => [
        set(stream, call(random.key, i32.add(get(state.base), i32.const(state.offset)), ordinal)),
        fill(first),
      ]),
    ];
  },
};

// --- Fused pairs -------------------------------------------------------------------------------------------------------

/** A pointwise op whose only reader is another one: both in one pass over memory, with the same arithmetic. */
interface Fusion {
  readonly producer: Op;
  readonly consumer: Op;
  /** Which input of the consumer the producer's output is. */
  readonly position: 0 | 1;
}

/** What programs that learn do all the time: w + rate * x, W + outer(a, b), heaviside(x) * y. */
function isProducer(op: Op): boolean {
  if (op.output !== 'v' && op.output !== 'm') return false;
  return op.shape === 'scale' || (op.shape === 'map1' && op.fn === 'stepAbove') || isOuter(op);
}

function isConsumer(op: Op): boolean {
  return op.shape === 'map2' && (op.fn === 'add' || op.fn === 'subtract' || op.fn === 'multiply');
}

const FUSIONS: readonly Fusion[] = OPS.filter(isProducer).flatMap((producer) =>
  OPS.filter((op) => isConsumer(op) && op.output === producer.output).flatMap((consumer) =>
    ([0, 1] as const).map((position) => ({ producer, consumer, position })),
  ),
);

function fusedForm({ producer, consumer, position }: Fusion): PointwiseForm {
  const [first, second] = [pointwiseForm(producer)!, pointwiseForm(consumer)!];
  return {
    accesses: [...first.accesses, 'same'],
    value: (body, inputs) => {
      const made = first.value(body, inputs.slice(0, -1));
      const other = inputs.at(-1)!;
      return second.value(body, position === 0 ? [made, other] : [other, made]);
    },
  };
}

// --- The list of kernels -----------------------------------------------------------------------------------------------

const COPY: PointwiseForm = { accesses: ['same'], value: (_, [x]) => x! };

/** Kernels are numbered like this: all ops, copies of each type, fused pairs. */
const FIRST_COPY = OPS.length;
const COPY_TYPES = ['v', 'm'] as const;
const FIRST_FUSION = FIRST_COPY + COPY_TYPES.length;

/** Copies an operand: for outputs that are also inputs where a kernel cannot have that. */
export function copyKernel(type: 'v' | 'm'): number {
  return FIRST_COPY + COPY_TYPES.indexOf(type);
}

/** Whether a kernel for this op reads inputs after it has begun to write its output. */
export function needsSeparateOutput(op: Op): boolean {
  return op.shape === 'transpose' || (op.shape === 'contract' && op.output !== 's' && !isOuter(op));
}

const NO_KERNEL = -1;
const FUSED_KERNELS = new Int32Array(2 * OPS.length ** 2).fill(NO_KERNEL);
for (const [k, { producer, consumer, position }] of FUSIONS.entries()) {
  FUSED_KERNELS[fusionKey(producer.id, consumer.id, position)] = FIRST_FUSION + k;
}

function fusionKey(producer: number, consumer: number, position: number): number {
  return (producer * OPS.length + consumer) * 2 + position;
}

/** The kernel that computes `producer` as input `position` of `consumer`, or -1. */
export function fusedKernel(producer: number, consumer: number, position: 0 | 1): number {
  return FUSED_KERNELS[fusionKey(producer, consumer, position)]!;
}

/** Ops that may be the first of a fused pair. */
export const IS_PRODUCER: readonly boolean[] = OPS.map((op) => FUSIONS.some(({ producer }) => producer === op));

/** The code of a kernel, for an instruction whose address is in `pc`. */
function emitKernel(parts: KernelParts, f: FunctionBuilder, pc: Local, emit: (body: Body) => Code): Code {
  const loads: Code[] = [];
  const pointers = new Map<number, Pointer>();
  /** Loaded at the start, and only if the kernel asks for it: a load is never optimized away. */
  const field = (offset: number): Pointer => {
    const known = pointers.get(offset);
    if (known !== undefined) return known;
    const pointer = { base: f.local('i32'), offset: 0 };
    loads.push(set(pointer.base, i32.load(get(pc), offset)));
    pointers.set(offset, pointer);
    return pointer;
  };
  const code = emit({
    f,
    layout: parts.layout,
    parts,
    input: (k) => field([INSTRUCTION.in1, INSTRUCTION.in2, INSTRUCTION.in3][k]!),
    get out() {
      return field(INSTRUCTION.out);
    },
    const1: f64.load(get(pc), INSTRUCTION.const1),
    const2: f64.load(get(pc), INSTRUCTION.const2),
    ordinal: i32.load(get(pc), INSTRUCTION.ordinal),
  });
  return [loads, code];
}

/** Runs the instruction whose address is in `pc`: code to put into a function. */
export type Kernel = (f: FunctionBuilder, pc: Local) => Code;

/** Kernels of up to this many bytes of code are not worth a call. */
const MAX_INLINE = 400;

function makeKernel(parts: KernelParts, emit: (body: Body) => Code): Kernel {
  const inline: Kernel = (f, pc) => emitKernel(parts, f, pc, emit);
  const trial = new FunctionBuilder(['i32']);
  if (flatten(inline(trial, trial.params[0]!)).length <= MAX_INLINE) return inline;
  const func = parts.module.func({ params: ['i32'] }, (f) => inline(f, f.params[0]!));
  return (_, pc) => call(func, get(pc));
}

/** Adds every kernel to the module, in the order of their numbers. */
export function addKernels(parts: KernelParts): Kernel[] {
  return [
    ...OPS.map((op) => makeKernel(parts, (body) => (EMITTERS[op.shape] as Emitter<ShapeName>)(op, body))),
    ...COPY_TYPES.map((type) => makeKernel(parts, (body) => emitForm(type, COPY, body))),
    ...FUSIONS.map((fusion) => makeKernel(parts, (body) => emitForm(fusion.consumer.output!, fusedForm(fusion), body))),
  ];
}
