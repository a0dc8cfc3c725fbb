// Asks the server: JSON that comes, JSON that is posted, and what goes wrong. Must not know what the answers are for.
import { type ApiError, CONTROL_HEADER } from '../../src/server/api.js';
import { addressOf, connection } from './connection.js';

/** The server answered, and said no. */
export class RefusedError extends Error {
  readonly status: number;
  readonly issues: NonNullable<ApiError['issues']>;

  constructor(status: number, { error, issues = [] }: ApiError) {
    super(error);
    this.status = status;
    this.issues = issues;
  }
}

/** There was no answer. */
export class UnreachableError extends Error {}

async function ask(path: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(addressOf(path), init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    connection.value = 'lost';
    throw new UnreachableError('The server does not answer.');
  }
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body;
  const said = typeof body === 'object' && body !== null && 'error' in body ? (body as ApiError) : undefined;
  throw new RefusedError(
    response.status,
    said ?? { error: `The server answered ${response.status} without a reason.` },
  );
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await ask(path, { headers: { Accept: 'application/json' }, ...(signal && { signal }) })) as T;
}

export async function postJson<T>(path: string, body: unknown): Promise<T> {
  const headers = { 'Content-Type': 'application/json', [CONTROL_HEADER.name]: CONTROL_HEADER.value };
  return (await ask(path, { method: 'POST', headers, body: JSON.stringify(body) })) as T;
}
