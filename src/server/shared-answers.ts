// Answers that many pages ask for at the same time are made once. Knows nothing of what is asked.
import { RecentMap } from './recent-map.js';

/** Some pages of some runs. */
const MAX_KNOWN = 16;

export class SharedAnswers {
  private readonly known = new RecentMap<string, Promise<unknown>>(MAX_KNOWN);

  /** The answer to what `key` stands for. One that is not whole is made again for those who ask when it is there. */
  answer<T>(key: string, make: () => Promise<T>, isWhole: (answer: T) => boolean): Promise<T> {
    const known = this.known.get(key);
    if (known !== undefined) return known as Promise<T>;
    const made = make();
    this.known.set(key, made);
    const forget = () => this.known.delete(key);
    made.then((answer) => isWhole(answer) || forget(), forget);
    return made;
  }
}
