// Random draws in WebAssembly: the counter-based streams of util/random.ts, bit for bit. Must not know ops or layouts.
import {
  type Code,
  call,
  type Func,
  f64,
  type Global,
  get,
  getGlobal,
  i32,
  i64,
  type Local,
  type ModuleBuilder,
  set,
} from './assembler.js';
import type { Elementary } from './elementary.js';

const GAMMA = 0x9e3779b97f4a7c15n;

export interface RandomFunctions {
  /** The state that belongs to a task: the address is the parameter. Then key(state, ordinal) of this step. */
  readonly key: Func;
  /** Draw number `index` of a key. */
  readonly uniform: Func;
  readonly gaussian: Func;
  /** The number of the step, which the loop counts. */
  readonly step: Global;
  /** Where the states of the block's tasks lie. */
  readonly states: Global;
}

/** SplitMix64's finalizer, in place. */
function mix(z: Local): Code {
  const round = (shift: bigint, factor: bigint) =>
    set(z, i64.mul(i64.xor(get(z), i64.shrU(get(z), i64.const(shift))), i64.const(factor)));
  return [
    round(30n, 0xbf58476d1ce4e5b9n),
    round(27n, 0x94d049bb133111ebn),
    set(z, i64.xor(get(z), i64.shrU(get(z), i64.const(31n)))),
  ];
}

export function addRandom(module: ModuleBuilder, elementary: Elementary): RandomFunctions {
  const step = module.global('i32');
  const states = module.global('i32');
  /** One more word of a path. */
  const derive = (z: Local, word: Code): Code => [
    set(z, i64.add(i64.xor(get(z), i64.extendU(word)), i64.const(GAMMA))),
    mix(z),
  ];
  const key = module.func({ params: ['i32', 'i32'], results: ['i64'] }, (f) => {
    const [state, ordinal] = f.params as [Local, Local];
    const z = f.local('i64');
    return [set(z, i64.load(get(state))), derive(z, getGlobal(step)), derive(z, get(ordinal)), get(z)];
  });
  const uniform = module.func({ params: ['i64', 'i32'], results: ['f64'] }, (f) => {
    const [z, index] = f.params as [Local, Local];
    const count = i64.extendU(i32.add(get(index), i32.const(1)));
    return [
      set(z, i64.add(get(z), i64.mul(count, i64.const(GAMMA)))),
      mix(z),
      f64.mul(f64.fromI64(i64.shrU(get(z), i64.const(12n))), f64.const(2 ** -52)),
    ];
  });
  const gaussian = module.func({ params: ['i64', 'i32'], results: ['f64'] }, (f) => {
    const [z, index] = f.params as [Local, Local];
    return call(elementary.inverseNormal, f64.add(call(uniform, get(z), get(index)), f64.const(2 ** -53)));
  });
  return { key, uniform, gaussian, step, states };
}
