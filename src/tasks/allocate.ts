// Memory for the numbers of tasks. Must not know what they are.

/** Makes room for so many numbers, all 0. */
export type Allocate = (length: number) => Float64Array;

/** Memory of this thread. It is freed in time, which the garbage collector does not do for shared memory. */
export const ownFloats: Allocate = (length) => new Float64Array(length);

/** Memory that the threads of one process share; where there is none, as in a page without isolation, memory of this thread. */
export const sharedFloats: Allocate = (length) =>
  typeof SharedArrayBuffer === 'undefined'
    ? ownFloats(length)
    : new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
