// The length of a processor cycle, measured: a chain of exclusive-ors and rotations that each take one cycle and wait for one
// another.

import { heap } from '../engine/wasm/heap.js';
import { wasm } from '../wasm/api.js';
import { branchIf, type Code, get, i32, loop, ModuleBuilder, set, tee } from '../wasm/assembler.js';
import { time } from './clock.js';

const STEPS = 16;
const ROUNDS = 20_000;

function compile(): (rounds: number) => number {
  const module = new ModuleBuilder();
  module.func({ params: ['i32'], results: ['i32'], exportAs: 'spin' }, (f) => {
    const rounds = f.params[0]!;
    const x = f.local('i32');
    const step: Code = set(x, i32.rotl(i32.xor(get(x), get(rounds)), i32.const(5)));
    return [
      loop(new Array<Code>(STEPS).fill(step), branchIf(0, tee(rounds, i32.sub(get(rounds), i32.const(1))))),
      get(x),
    ];
  });
  const imports = { env: { memory: heap.memory } };
  const { exports } = new wasm.Instance(new wasm.Module(module.bytes()), imports);
  return (exports as { spin: (rounds: number) => number }).spin;
}

let measured: number | undefined;

/** Nanoseconds of one cycle. */
export function cycleNs(): number {
  measured ??= time(compileAndRun(), { rounds: 50, milliseconds: 300 }).ns / (ROUNDS * STEPS * 2);
  return measured;
}

function compileAndRun(): () => void {
  const spin = compile();
  return () => void spin(ROUNDS);
}
