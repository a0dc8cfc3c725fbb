// How much tests of many cases try: a part of it in the project `fast`, everything in the project `integration`, where
// `npm test` runs the same files again: those of tests/property, and of src those that are named x.many.test.ts.

const IS_ALL = process.env.EVOZERO_TEST_AMOUNT !== 'some';
const EVERY = 10;

/** So many runs of a property, or a part of them. */
export function countRuns(all: number, every: number = EVERY): number {
  return IS_ALL ? all : Math.ceil(all / every);
}

/** Every case, or the first of every few. */
export function pickCases<T>(all: readonly T[], every: number = EVERY): readonly T[] {
  return IS_ALL ? all : all.filter((_, k) => k % every === 0);
}
