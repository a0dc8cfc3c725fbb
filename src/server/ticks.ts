// One clock for all open streams: they look for news at its ticks, and it stands still while there are none. Must not know what they look at.

/** Milliseconds between ticks. */
const INTERVAL = 500;

export class Ticks {
  private waiting: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** Resolves at the next tick; at once if the clock was ended. */
  next(): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    this.timer ??= setTimeout(() => this.wake(), INTERVAL);
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  get isOver(): boolean {
    return this.isClosed;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.wake();
  }

  private wake(): void {
    this.timer = undefined;
    const { waiting } = this;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}
