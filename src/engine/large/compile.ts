// The module of the large engine for a feature size: the fast engine's kernels of one task, each a function, and those for large
// matrices. Compiled once. Must not know programs.
import { OPS } from '../../ops/ops.js';
import type { Precision } from '../../ops/semantics.js';
import { instantiate } from '../../wasm/api.js';
import { get, type Local, ModuleBuilder, setGlobal } from '../../wasm/assembler.js';
import { addElementary } from '../wasm/elementary.js';
import { ANGLE_TABLE, heap } from '../wasm/heap.js';
import { addKernels } from '../wasm/kernels.js';
import { Layout } from '../wasm/layout.js';
import { addRandom } from '../wasm/random.js';
import { addBlockKernels, type BlockKernels } from './block-kernels.js';

export interface LargeKernels extends BlockKernels {
  readonly layout: Layout;
  /** Bytes from one vector to the next where several lie side by side. */
  readonly stride: number;
  /** Each runs the encoded instruction at an address; by op number. */
  readonly ops: readonly ((instruction: number) => void)[];
  /** Says where the task's random state lies and which step it is. */
  readonly setStep: (states: number, step: number) => void;
}

/** Vectors begin this many bytes after a multiple of a line's bytes, so that not all share one place in the cache. */
const LINE = 64;

function vectorStride(layout: Layout): number {
  const lines = Math.ceil(layout.operandBytes('v') / LINE);
  return LINE * (lines % 2 === 0 ? lines + 1 : lines);
}

const compiled = new Map<string, LargeKernels>();

export function largeKernels(features: number, precision: Precision): LargeKernels {
  const key = `large ${precision} ${features}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const layout = new Layout({ features, precision, kind: 'dense', tasks: 1 });
  const stride = vectorStride(layout);
  const module = new ModuleBuilder();
  const elementary = addElementary(module, ANGLE_TABLE);
  const random = addRandom(module);
  const kernels = addKernels({ module, layout, elementary, random });
  for (const { id } of OPS) {
    module.func({ params: ['i32'], exportAs: `op ${id}` }, (f) => kernels[id]!(f, f.params[0]!));
  }
  module.func({ params: ['i32', 'i32'], exportAs: 'setStep' }, (f) => {
    const [states, step] = f.params as [Local, Local];
    return [setGlobal(random.states, get(states)), setGlobal(random.step, get(step))];
  });
  const findBlockKernels = addBlockKernels(module, layout, stride);
  const exports = instantiate(key, heap.memory, () => module.bytes());
  const found = exports as { readonly [name: string]: (...args: number[]) => void };
  const made: LargeKernels = {
    ...findBlockKernels(exports),
    layout,
    stride,
    ops: OPS.map(({ id }) => found[`op ${id}`]!),
    setStep: found.setStep!,
  };
  compiled.set(key, made);
  return made;
}
