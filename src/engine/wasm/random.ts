// Random draws in WebAssembly: the counter-based streams of util/random.ts, bit for bit. Must not know ops or layouts.
import {
  type Code,
  call,
  type Func,
  type FunctionBuilder,
  f64,
  f64x2,
  type Global,
  get,
  getGlobal,
  i64,
  type Local,
  type ModuleBuilder,
  set,
  tee,
} from '../../wasm/assembler.js';
import type { Elementary } from './elementary.js';
import { REALS } from './reals.js';

const GAMMA = 0x9e3779b97f4a7c15n;

export interface RandomFunctions {
  /** key(address of a task's state, ordinal): the key of a random instruction in this step. */
  readonly key: Func;
  /** The number of the step, which the loop counts. */
  readonly step: Global;
  /** Where the states of the block's tasks lie. */
  readonly states: Global;
}

/** The next draw of a stream from the uniform distribution; `state` is the key at first. */
export function nextUniform(f: FunctionBuilder, state: Local): Code {
  const z = f.local('i64');
  return [
    set(z, tee(state, i64.add(get(state), i64.const(GAMMA)))),
    mix(z),
    f64.mul(f64.fromI64(i64.shrU(get(z), i64.const(12n))), f64.const(2 ** -52)),
  ];
}

/** The next one or two draws from the standard normal distribution, as lanes. */
export function nextGaussians(f: FunctionBuilder, state: Local, elementary: Elementary, count: 1 | 2): Code {
  const first = f64x2.splat(nextUniform(f, state));
  const draws = count === 1 ? first : f64x2.replace(first, 1, nextUniform(f, state));
  return call(elementary.inverseNormal, f64x2.add(draws, REALS.f64.constant(2 ** -53)));
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

export function addRandom(module: ModuleBuilder): RandomFunctions {
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
  return { key, step, states };
}
