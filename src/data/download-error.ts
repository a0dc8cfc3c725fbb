// How a download fails, in one line for the user. Knows neither how files are fetched nor what is in them.
import { printable } from '../util/quote.js';
import { describeSystemError } from './system-error.js';

/** What one address said to a download. */
export interface Answer {
  readonly url: string;
  readonly reason: string;
}

/** Files that did not come. The message names the file and the cause, and says what to do. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  /** Empty when the trouble was here rather than there. */
  readonly answers: readonly Answer[];

  constructor(message: string, answers: readonly Answer[] = [], options?: ErrorOptions) {
    super(oneLine(message), options);
    this.answers = answers;
  }
}

/** Texts of servers and of OpenSSL may have line ends and control characters. */
function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim());
}

/** The trouble with a file on this machine. */
export function diskError(path: string, error: unknown): DownloadError {
  return new DownloadError(`cannot write ${path}: ${describeDiskTrouble(error)}`, [], { cause: error });
}

function describeDiskTrouble(error: unknown): string {
  const words = describeSystemError(error);
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `${words}; make room and run this again, what has come so far is kept`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${words}; choose a folder that you may write to`;
    case 'ENOTDIR':
    case 'EEXIST':
      return 'a part of its path is a file, not a folder; choose another folder';
    case 'EISDIR':
      return 'there is a folder of this name; move it away';
    default:
      return words;
  }
}
