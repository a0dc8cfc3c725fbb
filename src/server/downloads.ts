// Files of a run as downloads: those that it has, as they are, and its best program in other languages. A browser saves them and never
// shows them. Must not know which files a request may name.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Context } from 'hono';
import type { DownloadName } from './api.js';
import { EXPORTS } from './detail-answer.js';
import type { Explainer } from './explainer.js';
import { Refusal } from './refusal.js';
import type { RunSource } from './run-source.js';
import { openPlainFile } from './safe-file.js';
import { DOCUMENT_POLICY } from './security.js';

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  csv: 'text/csv',
  html: 'text/html',
};

/** `linear-4-best.alg`; of the name of the run, only what every system takes. */
function fileNameFor({ run }: RunSource, file: DownloadName): string {
  const name = run.name.replaceAll(/[^\w-]+/g, '_').slice(-64);
  return `${name}-${file}`;
}

/** `Linear4` of `linear-4`. */
function classNameFor({ run }: RunSource): string {
  const words = run.name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  return /^[A-Z]\w{0,59}$/.test(joined) ? `${joined}Model` : 'EvolvedModel';
}

function headersFor(source: RunSource, file: DownloadName): Record<string, string> {
  const type = TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'text/plain';
  return {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${fileNameFor(source, file)}"`,
    'Content-Security-Policy': DOCUMENT_POLICY,
  };
}

/** As long as it is now: a log may grow while it is sent. */
function sendFile(context: Context, source: RunSource, file: DownloadName): Response {
  const opened = openPlainFile(join(source.run.directory, file));
  if (opened === undefined) throw new Refusal(404, `the run has no ${file}`);
  const headers = { ...headersFor(source, file), 'Content-Length': String(opened.size) };
  const end = Math.max(0, opened.size - 1);
  const stream = createReadStream('', { fd: opened.file, start: 0, end, autoClose: true });
  return context.body(Readable.toWeb(stream) as ReadableStream, 200, headers);
}

/** `readBest` gives the text of the best program. */
export async function answerDownload(
  context: Context,
  source: RunSource,
  file: DownloadName,
  explainer: Explainer,
  readBest: () => string,
): Promise<Response> {
  const to = EXPORTS[file];
  if (to === undefined) return sendFile(context, source, file);
  const { config } = source;
  const outcome = await explainer.ask('export', { text: readBest(), config, to, name: classNameFor(source) });
  if ('problem' in outcome) throw new Refusal(409, outcome.problem);
  return context.body(outcome.answer, 200, headersFor(source, file));
}
