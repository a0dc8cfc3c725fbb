// What a link to the page can hold: a program, or a search with its seed. Links come from strangers, so everything is checked when it
// is read: length, version, and the content by the parser or the schema of configurations. Must not know views.
import { type Config, parseConfig } from '../../../src/experiment/config.js';
import { resolvePrograms } from '../../../src/experiment/program-references.js';
import { parseSource } from '../../../src/program/parse.js';

export type Shared =
  | { readonly kind: 'program'; readonly name: string; readonly text: string; readonly tasks: string }
  | { readonly kind: 'search'; readonly config: Config };

const VERSION = 1;

/** Characters of a link, and of what it holds. */
const MAX_LINK = 20_000;
const MAX_TEXT = 200_000;
const MAX_NAME = 100;

/** A link that cannot be read; the message says why. */
export class LinkError extends Error {
  override readonly name = 'LinkError';
}

// --- Bytes and characters ----------------------------------------------------------------------------------------------

function toBase64Url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    throw new LinkError('this link is damaged: some of its characters are missing or wrong');
  }
}

async function deflate(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Stops where the text becomes longer than anything that is shared, however small the bytes are. */
async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
      if (text.length > MAX_TEXT) break;
    }
  } catch {
    throw new LinkError('this link is damaged: some of its characters are missing or wrong');
  }
  await reader.cancel();
  throw new LinkError('this link holds more than a program or a search');
}

// --- Content -----------------------------------------------------------------------------------------------------------

function readText(value: unknown, most: number, what: string): string {
  if (typeof value !== 'string' || value.length > most) throw new LinkError(`this link holds no ${what}`);
  return value;
}

function readShared(value: unknown): Shared {
  if (typeof value !== 'object' || value === null) throw new LinkError('this link holds no program and no search');
  const { v, kind, name, text, tasks, config } = value as Record<string, unknown>;
  if (v !== VERSION) throw new LinkError(`this link is of version ${String(v).slice(0, 20)}, and this page reads 1`);
  if (kind === 'program') {
    const program = readText(text, MAX_TEXT, 'program');
    parseSource(program);
    return {
      kind,
      name: readText(name, MAX_NAME, 'name'),
      text: program,
      tasks: readText(tasks, MAX_NAME, 'tasks'),
    };
  }
  if (kind !== 'search') throw new LinkError('this link holds no program and no search');
  const whole = resolvePrograms(parseConfig(config), () => {
    throw new LinkError('this link names a file');
  });
  return { kind, config: whole };
}

/** For the address of the page. */
export async function writeLink(shared: Shared): Promise<string> {
  return toBase64Url(await deflate(JSON.stringify({ v: VERSION, ...shared })));
}

/** Throws LinkError, ProgramTextError and ConfigError. */
export async function readLink(link: string): Promise<Shared> {
  if (link.length > MAX_LINK) throw new LinkError('this link is too long');
  const text = await inflate(fromBase64Url(link));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new LinkError('this link is damaged: it holds no JSON');
  }
  return readShared(value);
}
