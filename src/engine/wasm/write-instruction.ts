// Writes one encoded instruction (encoding.ts) into memory. Whoever calls it answers for the pointers.
import { INSTRUCTION } from './encoding.js';
import { heap } from './heap.js';

/** Kernel number and pointers; inputs that a kernel does not have are 0, and a random one has its ordinal in place of the first. */
export function writeInstruction(at: number, kernel: number, in1: number, in2: number, out: number): void {
  const words = heap.i32;
  const word = at / 4;
  words[word + INSTRUCTION.kernel / 4] = kernel;
  words[word + INSTRUCTION.in1 / 4] = in1;
  words[word + INSTRUCTION.in2 / 4] = in2;
  words[word + INSTRUCTION.out / 4] = out;
}

export function writeConstants(at: number, const1: number, const2: number): void {
  heap.f64[(at + INSTRUCTION.const1) / 8] = const1;
  heap.f64[(at + INSTRUCTION.const2) / 8] = const2;
}
