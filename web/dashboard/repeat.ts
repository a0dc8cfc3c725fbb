// Work that is done again until it succeeds, and work that is asked for more often than it should be done.
import { UnreachableError } from './api-client.js';

const AGAIN_MS = 1000;

/** Does it again while the server does not answer. Other errors go to `onError`. Ends with `signal`. */
export async function untilAnswered(
  work: () => Promise<void>,
  signal: AbortSignal,
  onError: (error: Error) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof UnreachableError)) return onError(error as Error);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

/** A function that does the work at once, and at most every so many milliseconds; what was asked for meanwhile is done once, later. */
export function throttle(work: () => void, every: number, signal: AbortSignal): () => void {
  let [last, timer] = [Number.NEGATIVE_INFINITY, 0];
  const run = () => {
    timer = 0;
    last = performance.now();
    if (!signal.aborted) work();
  };
  return () => {
    if (timer !== 0 || signal.aborted) return;
    timer = window.setTimeout(run, Math.max(0, last + every - performance.now()));
  };
}
