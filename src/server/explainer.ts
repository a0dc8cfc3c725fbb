// Answers about programs, from a thread of their own: explaining one may take a good part of a second, in which the server must answer
// others. What was answered lately is remembered. Must not know what is asked.
import { Thread } from '../threads/thread.js';
import type { Kind, Outcome, Questions } from './answer-about-program.js';
import { RecentMap } from './recent-map.js';

/** Texts longer than this are no programs of a search. */
const MAX_TEXT = 256 * 1024;
/** Answers that are remembered; techniques of every step of some lineages. */
const MAX_KNOWN = 3000;

interface Request {
  readonly kind: Kind;
  readonly question: Questions[Kind];
}

export class Explainer {
  private thread: Thread<Request, Outcome<Kind>> | undefined;
  private readonly pending = new Map<string, Promise<Outcome<Kind>>>();
  private readonly known = new RecentMap<string, Outcome<Kind>>(MAX_KNOWN);

  /** The answer, if it is remembered. */
  recall<K extends Kind>(kind: K, question: Questions[K]): Outcome<K> | undefined {
    return this.known.get(keyOf(kind, question)) as Outcome<K> | undefined;
  }

  async ask<K extends Kind>(kind: K, question: Questions[K]): Promise<Outcome<K>> {
    if (question.text.length > MAX_TEXT) return { problem: 'The text is too long for a program.' };
    const key = keyOf(kind, question);
    const known = this.known.get(key) ?? this.pending.get(key);
    if (known !== undefined) return known as Promise<Outcome<K>> | Outcome<K>;
    const asked = this.askThread({ kind, question }, key);
    this.pending.set(key, asked);
    try {
      return (await asked) as Outcome<K>;
    } finally {
      this.pending.delete(key);
    }
  }

  close(): void {
    this.thread?.dispose();
    this.thread = undefined;
  }

  private async askThread(request: Request, key: string): Promise<Outcome<Kind>> {
    this.thread ??= new Thread(new URL('./explain-thread.js', import.meta.url));
    try {
      const outcome = await this.thread.call(request);
      this.known.set(key, outcome);
      return outcome;
    } catch (error) {
      // It has died. The next question begins with a new one.
      this.close();
      throw error;
    }
  }
}

/** Of a configuration, only this matters to what is said about a program. */
function keyOf<K extends Kind>(kind: K, { text, config, ...others }: Questions[K]): string {
  return JSON.stringify([kind, text, config.space.memory, config.tasks.search.set, others]);
}
