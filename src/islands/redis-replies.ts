// Checks of what comes back from Redis. Anyone may have written anything there, so nothing is believed: what is not as it
// should be is undefined here, and counted by the caller. Must not know who asked.

export interface IslandState {
  readonly isDone: boolean;
  readonly algorithms: number;
  readonly best: number | null;
}

export function asArray(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? reply : [];
}

export function asCount(reply: unknown): number {
  const value = Buffer.isBuffer(reply) ? textToCount(reply.toString('latin1')) : reply;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

export function textToCount(text: string): number | undefined {
  if (!/^\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Undefined if it is not text. */
export function asText(reply: unknown): string | undefined {
  if (!Buffer.isBuffer(reply)) return undefined;
  try {
    return decoder.decode(reply);
  } catch {
    return undefined;
  }
}

/** A state as the scripts write it (redis-scripts.ts). */
export function parseState(text: string): IslandState | undefined {
  const [, done, algorithmsText = '', bestText] = /^(?:\d+ ){4}([01]) (\d+) (\S+)$/.exec(text) ?? [];
  const algorithms = textToCount(algorithmsText);
  const best = bestText === '-' ? null : Number(bestText);
  if (algorithms === undefined || !(best === null || Number.isFinite(best))) return undefined;
  return { isDone: done === '1', algorithms, best };
}

/** The text that `parseState` reads. */
export function bestText(best: number | null): string {
  return best === null || !Number.isFinite(best) ? '-' : String(best);
}

export interface Description {
  readonly id: string;
  readonly created: number;
  readonly config: string;
  readonly islands: number;
  readonly format: number;
  readonly evozero: string;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What a description must have to be believed; values in the order of DESCRIBE. */
export function parseDescription(reply: unknown, maxIslands: number): Description | undefined {
  const [id, created, config, islands, format, evozero] = asArray(reply).map(asText);
  const numbers = [created, islands, format].map((text) => textToCount(text ?? ''));
  const [createdAt, islandCount, formatVersion] = numbers;
  if (id === undefined || !/^[\da-f]{32}$/.test(id)) return undefined;
  if (config === undefined || !isJson(config)) return undefined;
  if (createdAt === undefined || formatVersion === undefined || evozero === undefined || evozero.length > 100)
    return undefined;
  if (islandCount === undefined || islandCount < 1 || islandCount > maxIslands) return undefined;
  return { id, created: createdAt, config, islands: islandCount, format: formatVersion, evozero };
}
