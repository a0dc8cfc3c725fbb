// What commands print: results to standard output, progress to standard error, colours only on a terminal.
import { createLogUpdate } from 'log-update';
import pc from 'picocolors';

// picocolors' own guess also colours pipes where the variable CI is set.
export const colors = pc.createColors(process.stdout.isTTY === true && process.env.NO_COLOR === undefined);

/** Prints a line, or text whose last line lacks its end. */
export function print(text = ''): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** A number of things, such as `1 task` or `1,000 tasks`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;
}

const REFRESH_MS = { terminal: 80, plain: 2000 };

/** One line that tells how far a command is: redrawn on a terminal, now and then a new line elsewhere. */
export class Progress {
  private readonly redraw = process.stderr.isTTY ? createLogUpdate(process.stderr) : undefined;
  private shownAt = performance.now();

  /** Also lets signals in: redrawing installs handlers, which wait for the work to pause. */
  async show(line: () => string): Promise<void> {
    const now = performance.now();
    if (now - this.shownAt < (this.redraw === undefined ? REFRESH_MS.plain : REFRESH_MS.terminal)) return;
    this.shownAt = now;
    if (this.redraw === undefined) process.stderr.write(`${line()}\n`);
    else this.redraw(line());
    await new Promise(setImmediate);
  }

  /** Takes the line away. */
  clear(): void {
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
