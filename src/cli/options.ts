// Readers for the values of flags that several commands share. A bad value becomes commander's one-line error.
import { InvalidArgumentError } from 'commander';
import type { MemorySizes } from '../program/program.js';

/** A reader for whole numbers from `low` to `high`. */
export function integer(low: number, high = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < low || value > high) {
      throw new InvalidArgumentError(`Expected a whole number from ${low} to ${high}.`);
    }
    return value;
  };
}

/** A path, which an unset variable of the shell is not. */
export function directory(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected the path of a directory.');
  return text;
}

const MAX_ADDRESSES = 1000;

/** `8/14/3`: scalars, vectors and matrices. */
export function memorySizes(text: string): MemorySizes {
  const [scalars, vectors, matrices, ...rest] = text
    .split('/')
    .map((part) => (/^\d{1,4}$/.test(part) ? Number(part) : -1));
  if (scalars === undefined || vectors === undefined || matrices === undefined || rest.length > 0) {
    throw new InvalidArgumentError('Expected scalars/vectors/matrices, such as 8/14/3.');
  }
  if ([scalars, vectors, matrices].some((size) => size < 0 || size > MAX_ADDRESSES)) {
    throw new InvalidArgumentError(`Expected three numbers from 0 to ${MAX_ADDRESSES}, such as 8/14/3.`);
  }
  return { scalars, vectors, matrices };
}

export const MEMORY_OPTION = '--memory <S/V/M>';
export const MEMORY_HELP = 'scalars, vectors and matrices that the program may address (default: 10/20/10)';
