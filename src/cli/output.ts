// What commands print: results to standard output, progress to standard error, colours only on a terminal.
import { createLogUpdate } from 'log-update';
import pc from 'picocolors';

export { count } from '../util/number-text.js';

// picocolors' own guess also colours pipes where the variable CI is set.
export const colors = pc.createColors(process.stdout.isTTY === true && process.env.NO_COLOR === undefined);

/** Prints a line, or text whose last line lacks its end. */
export function print(text = ''): void {
  process.stdout.write(`${text}\n`);
}

const told = new Set<string>();
let active: Progress | undefined;

/** Tells the user, once, something that does not stop the work, without touching what a command prints. */
export function note(text: string): void {
  if (told.has(text)) return;
  told.add(text);
  // The next line of progress would be drawn over it.
  active?.clear();
  process.stderr.write(`evozero: ${text}\n`);
}

/** Numbers that JSON lacks become strings, as in the golden vectors. */
export function printJson(value: unknown): void {
  const spelled = (_key: string, x: unknown) => (typeof x === 'number' && !Number.isFinite(x) ? String(x) : x);
  print(JSON.stringify(value, spelled, 2));
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB'];

/** `170 MB` */
export function bytes(n: number): string {
  const unit = Math.min(BYTE_UNITS.length - 1, n < 1 ? 0 : Math.floor(Math.log10(n) / 3));
  const value = n / 1000 ** unit;
  return `${value.toFixed(value < 10 && unit > 0 ? 1 : 0)} ${BYTE_UNITS[unit]}`;
}

/** `45 s`, `3 min`, `2 h 5 min` */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** How to call evozero from where the user is, for hints. */
export function commandLine(...args: readonly string[]): string {
  const quoted = args.map((arg) => (/^[\w./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`));
  const isScript = ['start', 'evozero'].includes(process.env.npm_lifecycle_event ?? '');
  return [isScript ? 'npm run evozero --' : 'evozero', ...quoted].join(' ');
}

const REFRESH_MS = { terminal: 80, plain: 2000 };

/** One line that tells how far a command is: redrawn on a terminal; elsewhere the first, the last, and now and then one. */
export class Progress {
  // The cursor stays: hiding it would install signal handlers, and Ctrl-C would wait until the work pauses.
  private readonly redraw = process.stderr.isTTY ? createLogUpdate(process.stderr, { showCursor: true }) : undefined;
  private shownAt = Number.NEGATIVE_INFINITY;
  private lastLine = '';
  private readonly startedAt = performance.now();

  constructor() {
    active = this;
  }

  /** Shows a line that says little: where lines stay, not before some time has passed. */
  hint(line: () => string): void {
    const isEarly = performance.now() - this.startedAt < REFRESH_MS.plain;
    if (this.redraw !== undefined || !isEarly) this.show(line);
  }

  show(line: () => string): void {
    const now = performance.now();
    if (now - this.shownAt < (this.redraw === undefined ? REFRESH_MS.plain : REFRESH_MS.terminal)) return;
    this.shownAt = now;
    if (this.redraw === undefined) this.write(line());
    else this.redraw(line());
  }

  /** Where lines stay, each is written once. */
  private write(line: string): void {
    if (line !== this.lastLine) process.stderr.write(`${line}\n`);
    this.lastLine = line;
  }

  /** Takes the line away for a moment, so that something can be printed. */
  clear(): void {
    this.redraw?.clear();
    this.shownAt = Number.NEGATIVE_INFINITY;
  }

  /** Takes the line away; elsewhere than on a terminal, shows the last one. */
  finish(line: () => string): void {
    if (this.redraw === undefined) this.write(line());
    this.redraw?.clear();
    this.redraw?.done();
  }
}

const BAR_WIDTH = 24;

/** `━━━━━━──────` for a part between 0 and 1. */
export function bar(part: number): string {
  const full = Math.round(part * BAR_WIDTH);
  return '━'.repeat(full) + '─'.repeat(BAR_WIDTH - full);
}
