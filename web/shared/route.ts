// Where the page is: a path and a query behind the `#` of its address, so that any static host can serve it and every view has an
// address of its own. Must not know which views there are.
import { type ReadonlySignal, signal } from '@preact/signals';

export interface Route {
  /** The parts between slashes, decoded. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Somebody typed a stray percent sign.
    return part;
  }
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const parts = path.split('/').filter((part) => part !== '');
  return { path: parts.map(decode), query: Object.fromEntries(new URLSearchParams(query)) };
}

/** The address of a view, for `href`. What is undefined or empty is left out of the query. */
export function routeTo(path: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  const text = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

const current = signal<Route>(parseRoute(globalThis.location?.hash ?? ''));
globalThis.addEventListener?.('hashchange', () => {
  current.value = parseRoute(location.hash);
});

export const route: ReadonlySignal<Route> = current;

/** Goes to another view; `replace` keeps the step out of the browser's history, for what changes while somebody types or drags. */
export function goTo(address: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') location.hash = address;
  else {
    history.replaceState(null, '', address);
    current.value = parseRoute(location.hash);
  }
}
