// Single keys from the terminal, without Enter, while the process is in its foreground, and a terminal that is as it was
// when that ends. Must not know what the keys do.
import { readFileSync } from 'node:fs';

const ESCAPE = '\u001b';
const CTRL_Z = '\u001a';
/** A shell brings a process to the foreground without a word to it, if it was not stopped. */
const LOOK_MS = 500;

/** What one key sends. The letters in the sequences of arrows and the like have not been typed. */
const KEY = new RegExp(`${ESCAPE}(?:\\[[\\d;]*.|O.|.)?|.`, 'gsu');

/**
 * Whether the shell has put the process behind others: to change the terminal from there, or to read from it, would stop
 * it.
 */
export function isInBackground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    // After the name, which may contain anything: state, parent, group, session, terminal, the terminal's group.
    const [, , group, , , foreground] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return foreground! > 0 && foreground !== group;
  } catch {
    return false;
  }
}

/**
 * Calls the handler for each key, until the returned function is called. Ctrl-C is a key as well, and no longer a signal:
 * the handler must see to it. Does nothing without a terminal, or where something else reads the input; in the background
 * it waits for the foreground.
 */
export function onKeys(handler: (key: string) => void): () => void {
  const { stdin } = process;
  const isTaken = stdin.isRaw || stdin.listenerCount('data') + stdin.listenerCount('readable') > 0;
  if (!stdin.isTTY || isTaken) return () => {};
  let isStopped = false;
  let isReading = false;

  const read = (data: Buffer | string) => {
    for (const [key] of String(data).matchAll(KEY)) {
      if (isStopped) return;
      if (key === CTRL_Z && process.platform !== 'win32') {
        // No longer a signal either; the shell must find its terminal as it was.
        stdin.setRawMode(false);
        process.kill(0, 'SIGTSTP');
      } else handler(key);
    }
  };
  const release = () => {
    isReading = false;
    stdin.off('data', read).pause();
  };
  const take = () => {
    isReading = true;
    // Off first: the shell may have changed the mode since it was set, and what is set already is not set again.
    stdin.setRawMode(false).setRawMode(true);
    stdin.off('data', read).on('data', read).resume().unref();
  };
  const look = () => {
    if (isInBackground()) release();
    else if (!isReading) take();
  };
  const onContinued = () => {
    isReading = false;
    look();
  };
  const stop = () => {
    if (isStopped) return;
    isStopped = true;
    clearInterval(looking);
    release();
    if (!isInBackground()) stdin.setRawMode(false);
    stdin.off('error', stop);
    process.off('SIGCONT', onContinued).off('exit', stop);
  };

  // A terminal that has gone is an error, and no reason to end a search.
  stdin.on('error', stop);
  process.on('SIGCONT', onContinued).on('exit', stop);
  const looking = setInterval(look, LOOK_MS).unref();
  look();
  return stop;
}
