// How much tests of many cases try: a part of it in the project `fast`, everything in the project `integration`, where
// `npm test` runs the same files again: those of tests/property, and of src those that are named x.many.test.ts. Campaigns try more still.

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

/** How many cases a campaign tries: a part of the amount in CI, more if EVOZERO_CAMPAIGN_TIMES says so (`npm run campaigns`). */
export function campaignSize(usual: number): number {
  return Math.max(1, Math.round(usual * Number(process.env.EVOZERO_CAMPAIGN_TIMES ?? 1)));
}

declare module 'vitest' {
  interface TaskMeta {
    /** How many cases a test of a campaign has tried, for the campaign's sum. */
    cases?: number;
  }
}
