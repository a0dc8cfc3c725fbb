import { describe, expect, it } from 'vitest';
import { type Config, parseConfig } from '../../../src/experiment/config.js';
import type { RunEvent } from '../../../src/experiment/events.js';
import { presets } from '../../../src/experiment/presets.js';
import { search } from '../../../src/experiment/search.js';
import { SearchSession, type SessionNews } from './search-session.js';

/** A search that ends after a few thousand algorithms. */
const config: Config = parseConfig({
  ...presets.linear,
  seed: 4,
  search: { ...presets.linear.search, population: 50 },
  stop: { algorithms: 6000 },
  experiment: { algorithms: 2500 },
});

async function runInNode(): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of search(config)) events.push(event);
  return events;
}

interface Watched {
  readonly session: SearchSession;
  readonly news: SessionNews[];
  readonly events: RunEvent[];
  /** Resolves when news of this kind has come. */
  readonly until: (isIt: (news: SessionNews) => boolean) => Promise<void>;
  readonly end: Promise<void>;
}

async function watch(isPaused: boolean): Promise<Watched> {
  const news: SessionNews[] = [];
  const events: RunEvent[] = [];
  let listener = () => {};
  const session = await SearchSession.start(config, undefined, isPaused, (latest) => {
    news.push(latest);
    events.push(...latest.events);
    listener();
  });
  const until = (isIt: (news: SessionNews) => boolean) =>
    new Promise<void>((resolve) => {
      listener = () => {
        if (isIt(news.at(-1)!)) resolve();
      };
      listener();
    });
  const end = session.goOn();
  return { session, news, events, until, end };
}

const isWaiting = ({ status }: SessionNews) => status.isPaused;

describe('a search that is watched', () => {
  it('finds what a search in Node finds', async () => {
    const { events, end } = await watch(false);
    await end;
    expect(events).toEqual(await runInNode());
  });

  it('finds the same when it goes step by step, slowly and then fast', async () => {
    const { session, events, news, until, end } = await watch(true);
    await until(isWaiting);
    for (let k = 1; k <= 3; k++) {
      session.obey({ type: 'step', until: 'algorithm' });
      await until(isWaiting);
      expect(news.at(-1)!.status.counts.algorithms).toBe(k);
      expect(news.at(-1)!.status.last).not.toBeNull();
    }
    const bests = () => events.filter(({ type }) => type === 'best').length;
    const before = bests();
    session.obey({ type: 'step', until: 'best' });
    await until(isWaiting);
    expect(bests()).toBe(before + 1);
    expect(news.at(-1)!.status.last).toBe('new-best');
    session.obey({ type: 'speed', perSecond: 1000 });
    session.obey({ type: 'resume' });
    const reached = news.at(-1)!.status.counts.algorithms + 50;
    await until(({ status }) => status.counts.algorithms >= reached);
    session.obey({ type: 'speed', perSecond: null });
    await end;
    expect(events).toEqual(await runInNode());
  });

  it('does nothing while it pauses, and ends where it is told to', async () => {
    const { session, events, until, end, news } = await watch(true);
    // So slowly that it cannot be over before it is looked at.
    session.obey({ type: 'speed', perSecond: 100 });
    session.obey({ type: 'resume' });
    await until(({ status }) => status.counts.algorithms > 0);
    session.obey({ type: 'pause' });
    const { algorithms } = news.at(-1)!.status.counts;
    await new Promise((resolve) => setTimeout(resolve, 200));
    session.obey({ type: 'stop' });
    await end;
    const last = events.at(-1)!;
    expect(last).toMatchObject({ type: 'end', reason: 'stopped' });
    expect(last).toHaveProperty('result.algorithms', algorithms);
  });
});
