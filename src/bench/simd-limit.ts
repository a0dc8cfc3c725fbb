// What this machine can do at most with 128-bit SIMD and without fused multiply-add: additions and multiplications that need no
// memory and do not wait for one another, as many at a time as there are registers.
import { branchIf, get, i32, loop, ModuleBuilder, set, tee, v128 } from '../engine/wasm/assembler.js';
import { wasm } from '../engine/wasm/heap.js';
import { REALS } from '../engine/wasm/reals.js';
import type { Precision } from '../ops/semantics.js';
import { time } from './clock.js';

const CHAINS = 12;
const ROUNDS = 20_000;

function compile(precision: Precision): (rounds: number) => void {
  const real = REALS[precision];
  const module = new ModuleBuilder();
  module.func({ params: ['i32'], exportAs: 'spin' }, (f) => {
    const rounds = f.params[0]!;
    const chains = Array.from({ length: CHAINS }, () => f.local('v128'));
    const constant = f.local('v128');
    const step = (chain: (typeof chains)[number], k: number) =>
      set(chain, (k % 2 === 0 ? real.add : real.mul)(get(chain), get(constant)));
    return [
      // Ones: sums stay small, products stay one, and nothing is denormal.
      set(constant, real.constant(1)),
      chains.map((chain) => set(chain, real.constant(1))),
      loop(
        chains.map(step),
        branchIf(0, tee(rounds, i32.sub(get(rounds), i32.const(1)))),
      ),
      // The results must be used somewhere.
      v128.store(i32.const(0), 0, chains.map(get).reduce(v128.xor)),
    ];
  });
  const memory = new wasm.Memory({ initial: 1, maximum: 1 });
  const { exports } = new wasm.Instance(new wasm.Module(module.bytes()), { env: { memory } });
  return (exports as { spin: (rounds: number) => void }).spin;
}

/** The least time of one arithmetic operation on one number, in nanoseconds. */
export function simdOperationNs(precision: Precision): number {
  const spin = compile(precision);
  const { ns } = time(() => spin(ROUNDS), { rounds: 50, milliseconds: 300 });
  return ns / (ROUNDS * CHAINS * REALS[precision].lanes);
}
