// Shows the status of a run while it goes on: redrawn on a terminal, a line now and then elsewhere. While the shell has put the
// process into the background, the terminal belongs to others. Must not know where the status comes from.
import { createLogUpdate } from 'log-update';
import { isInBackground } from './keys.js';
import { colors } from './output.js';
import { plainLine, type RunStatus, renderRun } from './run-view.js';

const VIEW_SECONDS = 0.1;
const PLAIN_SECONDS = 5;

export class View {
  private readonly redraw = process.stderr.isTTY ? createLogUpdate(process.stderr, { showCursor: true }) : undefined;
  private shownAt = Number.NEGATIVE_INFINITY;
  private last = '';
  private height = 0;
  private pending: NodeJS.Immediate | undefined;

  constructor() {
    if (this.redraw !== undefined) process.on('SIGCONT', this.leave);
  }

  show(seconds: number, look: () => RunStatus, isLast = false): void {
    const wait = this.redraw === undefined ? PLAIN_SECONDS : VIEW_SECONDS;
    if (!isLast && seconds - this.shownAt < wait) return;
    this.shownAt = seconds;
    if (this.redraw === undefined) this.write(plainLine(look()));
    // Not at once: the process may just have been continued, and the signal that says so is heard first.
    else this.pending ??= setImmediate(() => this.draw(look()));
  }

  finish(): void {
    clearImmediate(this.pending);
    process.off('SIGCONT', this.leave);
    if (!isInBackground()) this.redraw?.clear();
    this.leave();
  }

  private write(line: string): void {
    if (line !== this.last) process.stderr.write(`${line}\n`);
    this.last = line;
  }

  private draw(status: RunStatus): void {
    this.pending = undefined;
    if (isInBackground()) {
      this.leave();
      return;
    }
    const { columns = 80, rows = 24 } = process.stderr;
    const frame = renderRun(status, { columns, rows }, colors);
    const height = frame.split('\n').length;
    // log-update 7 writes the lines of a frame of another height to wrong places, and then erases what is above it.
    if (height !== this.height) this.redraw?.clear();
    this.height = height;
    this.redraw?.(frame);
  }

  /** Leaves what is drawn as it is: the shell has written below it, or will. */
  private readonly leave = (): void => this.redraw?.done();
}
