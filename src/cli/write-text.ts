// Writes what a command has made to a file that its user names, or says in one line why that cannot be. Must not know what it is.
import { realpathSync, statSync, writeFileSync } from 'node:fs';
import { describeSystemError } from '../data/system-error.js';
import { writeAtomic } from '../data/write-atomic.js';
import { printable } from '../util/quote.js';
import { UserError } from './errors.js';

/** A file is there whole or not at all, links are followed, and what is no file, such as /dev/stdout, stays what it is. */
export function writeText(path: string, text: string, hint = ''): void {
  try {
    const known = statSync(path, { throwIfNoEntry: false });
    if (known === undefined) writeAtomic(path, [Buffer.from(text)]);
    else if (known.isFile()) writeAtomic(realpathSync(path), [Buffer.from(text)]);
    else writeFileSync(path, text);
  } catch (error) {
    throw new UserError(`${printable(path)}: ${describeSystemError(error)}${hint}`);
  }
}
