// Single keys from the terminal, without Enter, and a terminal that is as it was when that ends. Must not know what the
// keys do.
import { readFileSync } from 'node:fs';

const ESCAPE = '\u001b';
const CTRL_Z = '\u001a';

/** What one key sends. The letters in the sequences of arrows and the like have not been typed. */
const KEY = new RegExp(`${ESCAPE}(?:\\[[\\d;]*.|O.|.)?|.`, 'gsu');

/** Whether the shell has put the process behind others: to change the terminal from there would stop it. */
function isInBackground(): boolean {
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
 * the handler must see to it. Does nothing without a terminal, in the background, or where something else reads the input.
 */
export function onKeys(handler: (key: string) => void): () => void {
  const { stdin } = process;
  const isTaken = stdin.isRaw || stdin.listenerCount('data') + stdin.listenerCount('readable') > 0;
  if (!stdin.isTTY || isTaken || isInBackground()) return () => {};
  let isStopped = false;

  const take = () => {
    // To read from the background would stop the process, too.
    if (isInBackground()) stdin.pause();
    else stdin.setRawMode(true).resume();
  };
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
  const stop = () => {
    if (isStopped) return;
    isStopped = true;
    stdin.off('data', read).setRawMode(false);
    stdin.pause().off('error', stop);
    process.off('SIGCONT', take).off('exit', stop);
  };

  // A terminal that has gone is an error, and no reason to end a search.
  stdin.on('error', stop).on('data', read);
  process.on('SIGCONT', take).on('exit', stop);
  take();
  stdin.unref();
  return stop;
}
