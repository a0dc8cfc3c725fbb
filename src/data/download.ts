// Downloads one file whose length and SHA-256 are known: goes on after cuts and after killed processes, and tries the addresses in
// turn. Nothing but the right content ever gets the file's name. Must not know data sets.
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, DownloadError, diskError } from './download-error.js';
import { hashFile } from './file-hash.js';
import { get, type HttpAnswer, NetworkError } from './http.js';
import { PartialFile } from './partial-file.js';

export interface RemoteFile {
  /** Tried in this order. */
  readonly urls: readonly string[];
  /** Where the file shall lie; its folder is made if need be. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface DownloadProgress {
  /** Bytes of the file that are there; less than before when the download had to begin again. */
  readonly received: number;
  readonly total: number;
}

export interface DownloadOptions {
  readonly onProgress?: (progress: DownloadProgress) => void;
  readonly signal?: AbortSignal;
  /** Before the second attempt; doubled while attempts bring nothing. */
  readonly retryDelayMs?: number;
  /** Silence that counts as a cut. */
  readonly stallMs?: number;
}

const RETRY_DELAY_MS = 1000;
const STALL_MS = 30_000;
const FRUITLESS_ATTEMPTS = 5;

/** What one attempt came to. */
type Outcome =
  | { readonly kind: 'published' }
  /** Worth another attempt, from where this one stopped. */
  | { readonly kind: 'cut'; readonly reason: string }
  /** What is here and what is there do not go together: worth an attempt from the beginning. */
  | { readonly kind: 'misfit'; readonly reason: string }
  /** Other addresses may do better. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Brings the file to its path; without the network if it lies there and is right. Throws a DownloadError, or the signal's reason;
 * then what has come so far is kept, and the next call goes on with it.
 */
export async function download(file: RemoteFile, options: DownloadOptions = {}): Promise<void> {
  if (await isThere(file)) return;
  const part = await PartialFile.open(file.path);
  try {
    await new Transfer(file, part, options).run();
  } finally {
    await part.release();
  }
}

async function isThere({ path, bytes, sha256 }: RemoteFile): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory()) throw diskError(path, { code: 'EISDIR' });
  if (stats?.size !== bytes) return false;
  // An archive may go away at any time, when another process has taken its files out.
  return (await hashFile(path).catch(() => undefined)) === sha256;
}

/** The state of one call. */
class Transfer {
  private readonly file: RemoteFile;
  private readonly part: PartialFile;
  private readonly options: DownloadOptions;
  /** Whether the bytes came in one answer. If not, wrong content may be the fault of an earlier one. */
  private isInOnePiece: boolean;
  /** The address that the last bytes came from. */
  private sender: string | undefined;

  constructor(file: RemoteFile, part: PartialFile, options: DownloadOptions) {
    this.file = file;
    this.part = part;
    this.options = options;
    this.isInOnePiece = part.size === 0;
  }

  async run(): Promise<void> {
    if (this.part.size > this.file.bytes) await this.clear();
    this.report();
    const answers: Answer[] = [];
    for (const url of this.file.urls) {
      const reason = await this.tryAddress(url);
      if (reason === undefined) return;
      answers.push({ url, reason });
    }
    throw this.failure(answers);
  }

  /** Attempts until the file is published, or until this address is of no use: then why. */
  private async tryAddress(url: string): Promise<string | undefined> {
    let most = this.part.size;
    let fruitless = 0;
    let hasStartedAgain = false;
    for (;;) {
      const outcome = await this.attempt(url);
      if (outcome.kind === 'published') return undefined;
      if (outcome.kind === 'refused' || (outcome.kind === 'misfit' && hasStartedAgain)) return outcome.reason;
      if (outcome.kind === 'misfit') {
        await this.clear();
        hasStartedAgain = true;
        most = 0;
        continue;
      }
      // A server without ranges sends the same bytes again: those are not new.
      fruitless = this.part.size > most ? 0 : fruitless + 1;
      most = Math.max(most, this.part.size);
      if (fruitless === FRUITLESS_ATTEMPTS) return `${outcome.reason}, ${fruitless} times in a row`;
      await this.wait(fruitless);
    }
  }

  private async attempt(url: string): Promise<Outcome> {
    const { stallMs = STALL_MS, signal } = this.options;
    try {
      signal?.throwIfAborted();
      // An earlier process may have been killed just before it gave the file its name.
      if (this.part.size === this.file.bytes) return await this.publish();
      const answer = await get(url, { from: this.part.size, stallMs, signal });
      try {
        return findObjection(answer, this.part.size, this.file.bytes) ?? (await this.receive(answer, url));
      } finally {
        answer.close();
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof NetworkError)) throw error;
      // A host that was there a moment ago may come back; for one that never was, nobody wants to wait.
      const isCut = error.isCut || this.sender === url;
      return { kind: isCut ? 'cut' : 'refused', reason: error.message };
    }
  }

  private async receive({ status, headers, body }: HttpAnswer, url: string): Promise<Outcome> {
    if (status === 200) await this.clear();
    else this.isInOnePiece &&= this.part.size === 0;
    const { bytes } = this.file;
    for await (const piece of body) {
      if (this.part.size + piece.length > bytes) return this.reject(`sent more than ${bytes} bytes`);
      await this.part.append(piece);
      this.sender = url;
      this.report();
    }
    if (this.part.size === bytes) return this.publish();
    const reason = `sent ${this.part.size} of ${bytes} bytes`;
    // The end of a chunked body is marked, so this is another file; otherwise the end may be a cut.
    const isAll = status === 200 && headers['transfer-encoding'] !== undefined;
    return isAll ? this.reject(reason) : { kind: 'cut', reason };
  }

  private async publish(): Promise<Outcome> {
    if (await this.part.publish(this.file.sha256)) return { kind: 'published' };
    return this.reject('sent other content (the SHA-256 differs)');
  }

  /** Wrong content. It is this address's fault only if it sent all of it. */
  private async reject(reason: string): Promise<Outcome> {
    const kind = this.isInOnePiece ? 'refused' : 'misfit';
    await this.clear();
    return { kind, reason };
  }

  private async clear(): Promise<void> {
    await this.part.clear();
    this.isInOnePiece = true;
  }

  private report(): void {
    const { part, file } = this;
    this.options.onProgress?.({ received: part.size, total: file.bytes });
  }

  private async wait(fruitless: number): Promise<void> {
    const { retryDelayMs = RETRY_DELAY_MS, signal } = this.options;
    const ms = retryDelayMs * 2 ** Math.max(0, fruitless - 1);
    await delay(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }

  private failure(answers: readonly Answer[]): DownloadError {
    const said = answers.map(({ url, reason }) => `${url}: ${reason}`).join('; ');
    const kept = this.part.size > 0 ? ' (it goes on where it stopped)' : '';
    const advice = `check the network and run this again${kept}, or bring the file there by other means`;
    return new DownloadError(`cannot download ${this.file.path}: ${said}; ${advice}`, answers);
  }
}

/** What speaks against reading the body, to which `from` bytes would come first; undefined if nothing does. */
function findObjection(answer: HttpAnswer, from: number, bytes: number): Outcome | undefined {
  const { status, statusText, headers } = answer;
  if (status === 206) return findRangeObjection(headers['content-range'], from, bytes);
  if (status === 200) {
    const length = headers['content-length'];
    return length === undefined ? undefined : findLengthObjection(Number(length), bytes);
  }
  const reason = `answered ${status} ${statusText}`;
  if (status === 416 && from > 0) return { kind: 'misfit', reason };
  const isPassing = status >= 500 || status === 429 || status === 408;
  return { kind: isPassing ? 'cut' : 'refused', reason };
}

function findLengthObjection(length: number, bytes: number): Outcome | undefined {
  if (length === bytes) return undefined;
  return { kind: 'refused', reason: `has another file there, of ${length} bytes instead of ${bytes}` };
}

function findRangeObjection(range: string | undefined, from: number, bytes: number): Outcome | undefined {
  const parts = /^bytes (?<start>\d+)-\d+\/(?<total>\d+|\*)$/.exec(range ?? '')?.groups;
  if (Number(parts?.start) !== from) {
    const reason = `answered with "Content-Range: ${range ?? ''}" when asked for what follows byte ${from}`;
    return { kind: from > 0 ? 'misfit' : 'refused', reason };
  }
  return parts?.total === '*' ? undefined : findLengthObjection(Number(parts?.total), bytes);
}
