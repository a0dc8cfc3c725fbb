// Copies a program from one place of a code store to another, in WebAssembly: a search copies a parent for every child. Must not know
// what is copied.
import { instantiate, type WasmMemory } from '../../wasm/api.js';
import { type Code, get, i32, i64, type Local, ModuleBuilder, set, v128 } from '../../wasm/assembler.js';
import { type CodeLayout, FUNCTIONS } from './code-layout.js';

export type CopyProgram = (from: number, to: number) => void;

/** From the largest to the smallest. */
const MOVES = [
  { size: 16, load: v128.load, store: v128.store },
  { size: 8, load: i64.load, store: i64.store },
  { size: 4, load: i32.load, store: i32.store },
] as const;

/** All that is set aside for a program, whether its functions are as long as they may be or not. */
function moduleBytes({ lengths, words, indices, constants, instructions }: CodeLayout): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder();
  module.func({ params: ['i32', 'i32'], exportAs: 'copy' }, (f) => {
    const [from, to] = f.params as [Local, Local];
    const { source, target } = f.locals('i32', 'source', 'target');
    /** Copies so many bytes, of which every program has as many, from this address on. */
    const copyPart = (begin: number, bytes: number): Code => {
      const moves: Code[] = [];
      let done = 0;
      for (const { size, load, store } of MOVES) {
        for (; done + size <= bytes; done += size) {
          moves.push(store(get(target), begin + done, load(get(source), begin + done)));
        }
      }
      const startOf = (place: Local): Code => i32.mul(get(place), i32.const(bytes));
      return [set(source, startOf(from)), set(target, startOf(to)), moves];
    };
    return [
      copyPart(lengths, 4 * FUNCTIONS),
      copyPart(words, 4 * instructions),
      copyPart(indices, 4 * instructions),
      copyPart(constants, 16 * instructions),
    ];
  });
  return module.bytes();
}

export function copyKernel(memory: WasmMemory, layout: CodeLayout): CopyProgram {
  const key = JSON.stringify(['copy', layout]);
  return (instantiate(key, memory, () => moduleBytes(layout)) as { copy: CopyProgram }).copy;
}
