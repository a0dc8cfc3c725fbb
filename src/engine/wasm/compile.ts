// Makes the module of a layout from the parts that write its functions, and compiles it once. No Node: this runs in a
// browser's worker.

import { wasm } from '../../wasm/api.js';
import { ModuleBuilder } from '../../wasm/assembler.js';
import { CLASSES } from '../engine.js';
import { addDigest } from './digest.js';
import { addElementary } from './elementary.js';
import { addEvaluations } from './evaluation.js';
import { ANGLE_TABLE, heap } from './heap.js';
import { addKernels } from './kernels.js';
import { Layout, type LayoutOptions } from './layout.js';
import { addRandom } from './random.js';

/** A compiled module's functions. Evaluations take the address of a job. */
export interface Kernels {
  readonly layout: Layout;
  readonly rms: (job: number) => void;
  readonly accuracy: (job: number) => void;
  readonly multiclass?: (job: number) => void;
  /** Runs the encoded instructions from one address to another. */
  readonly execute: (begin: number, end: number) => void;
  /** Hashes the predictions of so many traced examples, and writes 64 bits. */
  readonly digestScalars: Digest;
  readonly digestVectors?: Digest;
}

export type Digest = (trace: number, steps: number, out: number) => void;

/** The bytes of the module for a layout. */
export function moduleBytes(layout: Layout): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder();
  const elementary = addElementary(module, ANGLE_TABLE);
  const random = addRandom(module);
  const kernels = addKernels({ module, layout, elementary, random });
  addEvaluations({ module, layout, elementary, random, kernels });
  addDigest(module, layout, 's', 'digestScalars');
  if (layout.features >= CLASSES) addDigest(module, layout, 'v', 'digestVectors');
  return module.bytes();
}

const compiled = new Map<string, Kernels>();

/** The kernels for a layout, compiled when first asked for. */
export function kernelsFor(options: LayoutOptions): Kernels {
  const { features, precision, kind, tasks } = options;
  const key = `${kind} ${precision} ${features} ${tasks}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const layout = new Layout(options);
  const instance = new wasm.Instance(new wasm.Module(moduleBytes(layout)), { env: { memory: heap.memory } });
  const kernels = { ...(instance.exports as Omit<Kernels, 'layout'>), layout };
  compiled.set(key, kernels);
  return kernels;
}
