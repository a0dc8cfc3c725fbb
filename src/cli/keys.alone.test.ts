import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isInBackground, onKeys } from './keys.js';

vi.mock('node:fs', async (original) => ({ ...(await original<object>()), readFileSync: vi.fn() }));

/** A terminal that counts what is done to it from the background, where it would stop the process. */
class FakeTerminal extends EventEmitter {
  readonly isTTY = true;
  isRaw = false;
  isFlowing = false;
  misuses = 0;

  setRawMode(isRaw: boolean): this {
    if (isRaw !== this.isRaw && isInBackground()) this.misuses++;
    this.isRaw = isRaw;
    return this;
  }

  pause(): this {
    this.isFlowing = false;
    return this;
  }

  resume(): this {
    if (isInBackground()) this.misuses++;
    this.isFlowing = true;
    return this;
  }

  unref(): this {
    return this;
  }

  type(text: string): void {
    if (this.isFlowing) this.emit('data', Buffer.from(text));
  }
}

const GROUP = 4242;

function statLine(name: string, foreground: number): string {
  return `${GROUP} (${name}) S 1 ${GROUP} 77 34816 ${foreground} 4194304 0 0`;
}

function putInto(where: 'foreground' | 'background'): void {
  vi.mocked(readFileSync).mockReturnValue(statLine('node', where === 'foreground' ? GROUP : 77));
}

describe('the background', () => {
  test.each([
    ['the foreground', statLine('node', GROUP), false],
    ['the background', statLine('node', 77), true],
    ['no terminal', statLine('node', -1), false],
    ['the foreground, with a name that looks like more fields', statLine('a) S 1 2 3 4 5 (b', GROUP), false],
    ['the background, with a name that looks like more fields', statLine(`a) S 1 77 3 4 77 (b`, 77), true],
  ])('is told from %s', (_title, line, expected) => {
    vi.mocked(readFileSync).mockReturnValue(line);
    expect(isInBackground()).toBe(expected);
  });

  test('is unknown on a system that does not say', () => {
    vi.mocked(readFileSync).mockImplementation(() => {
      throw new Error('ENOENT');
    });
    expect(isInBackground()).toBe(false);
  });
});

describe('keys', () => {
  const { stdin } = process;
  let terminal: FakeTerminal;
  let keys: string[];
  let stop: () => void;

  const start = () => {
    stop = onKeys((key) => keys.push(key));
  };

  beforeEach(() => {
    vi.useFakeTimers();
    terminal = new FakeTerminal();
    keys = [];
    Object.defineProperty(process, 'stdin', { value: terminal, configurable: true });
  });

  afterEach(() => {
    stop();
    Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
    vi.useRealTimers();
  });

  test('are heard one by one, and those of arrows are none', () => {
    putInto('foreground');
    start();
    terminal.type('a\u001b[Aq');
    expect(keys).toEqual(['a', '\u001b[A', 'q']);
    expect(terminal.isRaw).toBe(true);
  });

  test('are left to others in the background, and heard in the foreground, of which nobody tells', () => {
    putInto('background');
    start();
    vi.advanceTimersByTime(5000);
    terminal.type('q');
    expect(keys).toEqual([]);
    expect(terminal).toMatchObject({ isRaw: false, misuses: 0 });
    putInto('foreground');
    vi.advanceTimersByTime(1000);
    terminal.type('q');
    expect(keys).toEqual(['q']);
    expect(terminal.isRaw).toBe(true);
  });

  test('are heard again after Ctrl-Z, bg and fg', () => {
    putInto('foreground');
    start();
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      expect(terminal.isRaw).toBe(false);
      putInto('background');
      return true;
    });
    terminal.type('\u001a');
    expect(kill).toHaveBeenCalledExactlyOnceWith(0, 'SIGTSTP');
    kill.mockRestore();
    process.emit('SIGCONT', 'SIGCONT');
    terminal.type('a');
    vi.advanceTimersByTime(5000);
    terminal.type('b');
    putInto('foreground');
    vi.advanceTimersByTime(1000);
    terminal.type('q');
    expect(keys).toEqual(['q']);
    expect(terminal).toMatchObject({ isRaw: true, misuses: 0 });
  });

  test('are heard once each, however often the process was stopped', () => {
    putInto('foreground');
    start();
    for (let k = 0; k < 3; k++) process.emit('SIGCONT', 'SIGCONT');
    terminal.type('q');
    expect(keys).toEqual(['q']);
  });

  test('end with the terminal as it was, and nothing that listens', () => {
    putInto('foreground');
    const before = process.listenerCount('SIGCONT');
    start();
    stop();
    vi.advanceTimersByTime(5000);
    terminal.type('q');
    expect(keys).toEqual([]);
    expect(terminal).toMatchObject({ isRaw: false, isFlowing: false });
    expect(terminal.eventNames()).toEqual([]);
    expect(process.listenerCount('SIGCONT')).toBe(before);
  });

  test('end in the background without a hand on the terminal', () => {
    putInto('foreground');
    start();
    // Stopped by somebody else, with no time to put the terminal back.
    putInto('background');
    stop();
    expect(terminal.misuses).toBe(0);
  });
});
