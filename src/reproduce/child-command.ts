// One command in a process of its own: what it printed, and how it is ended politely. Must not know what the command does.
import { spawn } from 'node:child_process';

export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  /** The last line of its complaints. */
  readonly lastLine: string;
}

/** Enough for a message; progress lines before it are of no interest. */
const KEPT = 4000;

export function runCommand(
  [program, ...args]: readonly string[],
  signal: AbortSignal,
  onStart: (pid: number) => void,
): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    // Of its own group: Ctrl-C at the terminal reaches it once, through us, so that it can end with a checkpoint.
    const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    if (child.pid !== undefined) onStart(child.pid);
    const pieces: string[] = [];
    let complaints = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => pieces.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints = (complaints + text).slice(-KEPT);
    });
    const stop = () => child.kill('SIGINT');
    signal.addEventListener('abort', stop, { once: true });
    child.on('error', reject);
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      const lastLine = complaints.trim().split('\n').at(-1) ?? '';
      resolve({ code: code ?? 1, stdout: pieces.join(''), lastLine: lastLine.replace(/^evozero: /, '') });
    });
  });
}
