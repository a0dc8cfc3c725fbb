// Streams of the server: opened again whenever they break, from where they were, and closed while nobody looks, because browsers
// allow a page and its siblings six connections in all. Must not know what the messages say.
import { signal } from '@preact/signals';

/** Whether the server answers, as far as the page knows. */
export const connection = signal<'connecting' | 'connected' | 'lost'>('connecting');

/** The server's paths begin with a slash; the page may lie below any path. */
export function addressOf(path: string): string {
  return `.${path}`;
}

interface StreamOptions {
  readonly path: string;
  /** Messages are told apart by these. */
  readonly types: readonly string[];
  readonly onMessage: (message: unknown) => void;
  /** Where to begin; later the id of the last message. */
  readonly cursor?: string;
  /** The stream was broken, and goes on. */
  readonly onReopen?: () => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 4000;

/** Listens until the function that it returns is called. */
export function openStream({ path, types, onMessage, cursor: start = '', onReopen }: StreamOptions): () => void {
  let [cursor, wait, isBroken, isOver] = [start, FIRST_WAIT_MS, false, false];
  let source: EventSource | undefined;
  let timer = 0;

  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const open = () => {
    close();
    if (isOver || document.hidden) return;
    const opened = new EventSource(addressOf(cursor === '' ? path : `${path}?cursor=${encodeURIComponent(cursor)}`));
    source = opened;
    opened.onopen = () => {
      connection.value = 'connected';
      wait = FIRST_WAIT_MS;
      if (isBroken) onReopen?.();
      isBroken = false;
    };
    opened.onerror = () => {
      connection.value = 'lost';
      isBroken = true;
      // A browser gives up on some errors; this does not.
      opened.close();
      timer = window.setTimeout(open, wait);
      wait = Math.min(LONGEST_WAIT_MS, 2 * wait);
    };
    for (const type of types) {
      opened.addEventListener(type, ({ data, lastEventId }: MessageEvent<string>) => {
        if (lastEventId !== '') cursor = lastEventId;
        onMessage(JSON.parse(data));
      });
    }
  };
  const follow = () => (document.hidden ? close() : open());
  document.addEventListener('visibilitychange', follow);
  open();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', follow);
    close();
  };
}
