// Mistakes in configurations: where they are, and what was expected. Must not know which fields there are.
import { nearest } from '../util/nearest.js';
import { printable, shorten } from '../util/quote.js';

export type FieldPath = readonly (string | number)[];

/** One mistake in a configuration. */
export interface ConfigIssue {
  readonly path: FieldPath;
  readonly message: string;
  /** Where the user wrote it, if that says more than the path: `mine.yaml:3:5: search.population`, or a flag. */
  readonly place?: string;
}

/** `search.initial[1]` */
export function printPath(path: FieldPath): string {
  const printKey = (key: string, k: number) => (k === 0 ? '' : '.') + shorten(printable(key));
  return path.map((key, k) => (typeof key === 'number' ? `[${key}]` : printKey(key, k))).join('');
}

/** Mistakes in a configuration. The message is one line: the first of them, and how many more there are. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError';
  readonly issues: readonly ConfigIssue[];

  constructor(issues: readonly [ConfigIssue, ...ConfigIssue[]]) {
    const [{ path, message, place = printPath(path) }, ...others] = issues;
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    super(`${place === '' ? '' : `${place}: `}${message}${more}`);
    this.issues = issues;
  }
}

/** Nobody mends more at once. */
const MAX_ISSUES = 100;

export function throwIssues(issues: readonly ConfigIssue[]): void {
  const [first, ...others] = issues.slice(0, MAX_ISSUES);
  if (first !== undefined) throw new ConfigError([first, ...others]);
}

/** `; did you mean "search"?`, or nothing. */
export function suggest(name: string, known: Iterable<string>): string {
  const guess = nearest(name, known);
  return guess === undefined ? '' : `; did you mean "${guess}"?`;
}
