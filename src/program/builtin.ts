// The programs that come with evozero, by name: the paper's. Their texts are the .alg files in builtin/, which
// `npm run docs` copies into a module, because a browser has no files. Must not know files.
import { BUILTIN_TEXTS } from './builtin-texts.js';
import { type ProgramSource, parseSource } from './parse.js';

export interface Builtin extends ProgramSource {
  readonly name: string;
  /** What it is, from the comment that its text begins with. */
  readonly about: string;
  readonly text: string;
}

export const BUILTIN_NAMES: readonly string[] = Object.keys(BUILTIN_TEXTS);

/** The comment lines at the top of a program's text, as one line. */
function openingComment(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('#'));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^#\s*/, ''))
    .join(' ');
}

export function builtin(name: string): Builtin | undefined {
  const text = Object.hasOwn(BUILTIN_TEXTS, name) ? BUILTIN_TEXTS[name] : undefined;
  return text === undefined ? undefined : { name, about: openingComment(text), text, ...parseSource(text) };
}
