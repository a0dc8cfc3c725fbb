// How work with a run directory fails, in one line for the user. Must not know what is in the files.
import { describeSystemError, isSystemError } from '../data/system-error.js';
import { printable } from '../util/quote.js';

/** A run that cannot be made, opened or written. The message names the directory or the file. */
export class RunError extends Error {
  override readonly name = 'RunError';
}

/** One that its user can mend, by naming another directory or by letting go of this one. */
export class RunMistake extends RunError {}

/** What is wrong with a path, rather than with the machine. */
const MISTAKES = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG', 'ELOOP'];

/** Does the work; what the operating system refuses becomes a RunError that begins with `trouble` and ends with `comfort`. */
export function explainSystemErrors<T>(trouble: string, work: () => T, comfort = ''): T {
  try {
    return work();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const message = printable(`${trouble}: ${describeSystemError(error)}${comfort}`);
    throw new (MISTAKES.includes(error.code ?? '') ? RunMistake : RunError)(message, { cause: error });
  }
}
