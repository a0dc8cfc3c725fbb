// The files of the web app, read once at the start into a fixed map: a request can only ever get what is in it. Must not know what the app does.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Context } from 'hono';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
  txt: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  alg: 'text/plain; charset=utf-8',
};

interface WebFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly tag: string;
  /** Its name changes with its content, so that it may be kept for ever. */
  readonly isFixed: boolean;
}

export type WebFiles = ReadonlyMap<string, WebFile>;

const MAX_BYTES = 64 << 20;
const HASHED = /\/assets\/[^/]+-[\w-]{8,}\.\w+$/;

function readWebFile(path: string, name: string): WebFile {
  const bytes = new Uint8Array(readFileSync(path));
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { bytes, type, tag, isFixed: HASHED.test(name) };
}

/** Every plain file of the directory by its path, as `/assets/x.js`; index.html also by that of its folder. Empty if nothing was built. */
export function readWebFiles(directory: string): WebFiles {
  const files = new Map<string, WebFile>();
  let total = 0;
  let entries: string[];
  try {
    entries = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return files;
  }
  for (const path of entries) {
    const name = path.slice(directory.length).split(sep).join('/');
    const file = readWebFile(path, name);
    total += file.bytes.length;
    if (total > MAX_BYTES) throw new Error(`${directory} has more than ${MAX_BYTES} bytes, which is no web app`);
    files.set(name, file);
    if (name.endsWith('/index.html')) files.set(name.slice(0, -'index.html'.length), file);
  }
  return files;
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>evozero</title>
<h1>The page has not been built</h1>
<p>Run <code>npm run build</code> in the folder of evozero, and start <code>evozero dashboard</code> again. The data are at <a href="/api/runs">/api/runs</a>.</p>
</html>
`;

/** The file of a path; undefined if there is none. */
export function answerFile(context: Context, files: WebFiles): Response | undefined {
  const { path } = context.req;
  if (files.size === 0 && ['/', '/playground/'].includes(path)) return context.html(NOT_BUILT, 503);
  if (files.has(`${path}/`)) return context.redirect(`${path}/`, 308);
  const file = files.get(path);
  if (file === undefined) return undefined;
  const headers = {
    ETag: file.tag,
    'Cache-Control': file.isFixed ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  if (context.req.header('If-None-Match') === file.tag) return context.body(null, 304, headers);
  return context.body(file.bytes, 200, { ...headers, 'Content-Type': file.type });
}
