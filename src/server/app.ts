// The dashboard's routes: what is asked, checked and read into plain values, and who answers it. Must not know how anything is found.
import { availableParallelism } from 'node:os';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { printable } from '../util/quote.js';
import { type Accepted, DOWNLOADS, LIMITS, ROUTES, type RunSeries, type SeriesAnswer, type ServerInfo } from './api.js';
import { Catalog } from './catalog.js';
import { Control } from './control.js';
import { answerDetail, answerUnreadable } from './detail-answer.js';
import { answerDownload } from './downloads.js';
import { findEnd, parseCursor } from './event-log.js';
import { Explainer } from './explainer.js';
import { answerForm, answerPresets } from './form-answer.js';
import { answerBest, answerHall, answerLineage } from './program-answers.js';
import { Refusal, refuse } from './refusal.js';
import { eventsPath, openSource, RunIndexes, type RunSource, readBestText, readLine, versionOf } from './run-source.js';
import { addHeaders, checkControl, checkHost, checkToken, cookieOf, DOCUMENT_POLICY } from './security.js';
import { answerSeries, type SeriesOptions } from './series-answers.js';
import { SharedAnswers } from './shared-answers.js';
import { followList, followRun, Streams } from './streams.js';
import { problemOf } from './summarize.js';
import { Ticks } from './ticks.js';
import { answerFile, readWebFiles } from './web-files.js';

export interface AppOptions {
  /** The directory of runs, or one run. It is there. */
  readonly directory: string;
  /** The address that the server listens on. */
  readonly address: string;
  /** What those who ask must have; without one, nobody else can reach the server. */
  readonly token?: string;
  readonly canControl: boolean;
  /** Where the web app was built. */
  readonly webDirectory: string;
  readonly version: string;
  /** Told of bugs. */
  readonly onError: (error: unknown) => void;
}

export interface App {
  readonly fetch: Hono['fetch'];
  /** Ends all streams. */
  close(): void;
}

// --- Reading requests --------------------------------------------------------------------------------------------------

function readWhole(context: Context, name: string, least: number, most: number, otherwise: number): number {
  const text = context.req.query(name);
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= least && value <= most) return value;
  throw new Refusal(400, `${name}: expected a whole number from ${least} to ${most}`);
}

function readSeriesOptions(context: Context): SeriesOptions {
  const scale = context.req.query('scale') ?? 'log';
  if (scale !== 'log' && scale !== 'linear') throw new Refusal(400, 'scale: expected log or linear');
  return { points: readWhole(context, 'points', LIMITS.leastPoints, LIMITS.mostPoints, LIMITS.points), scale };
}

function readIds(context: Context): string[] {
  const ids = [...new Set((context.req.query('runs') ?? '').split(',').filter((id) => id !== ''))];
  if (ids.length === 0 || ids.length > LIMITS.comparedRuns) {
    throw new Refusal(400, `runs: expected 1 to ${LIMITS.comparedRuns} ids`);
  }
  return ids;
}

/** The object that a request sends. */
async function readBody<T extends object>(context: Context): Promise<T> {
  let body: unknown;
  try {
    body = await context.req.json();
  } catch {
    throw new Refusal(400, 'expected a body that is valid JSON');
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as T;
  throw new Refusal(400, 'expected a JSON object');
}

// --- The routes --------------------------------------------------------------------------------------------------------

/** Answers to a request that made no sense, or that was too early or too late, are those of whoever refused it. */
function answerError(context: Context, error: Error, onError: AppOptions['onError']): Response {
  if (error instanceof Refusal) return refuse(context, error.status, error.message, error.issues);
  onError(error);
  return refuse(context, 500, 'something went wrong in the server; its terminal says what');
}

export function createApp(options: AppOptions): App {
  const { directory, address, token, canControl, onError } = options;
  const files = readWebFiles(options.webDirectory);
  const ticks = new Ticks();
  const streams = new Streams(ticks);
  const explainer = new Explainer();
  const indexes = new RunIndexes();
  const shared = new SharedAnswers();
  const catalog: Catalog = new Catalog(directory, (summary) => control.remark(summary));
  const control = new Control(catalog.root);
  const app = new Hono();

  const find = async (context: Context) => {
    const found = await catalog.find(context.req.param('id') ?? '');
    if (found === undefined) throw new Refusal(404, 'there is no such run');
    return found;
  };
  /** A run whose files can be read. */
  const open = async (context: Context): Promise<RunSource> => {
    const found = await find(context);
    if (found.summary.status === 'corrupt') throw new Refusal(409, found.summary.problem ?? 'it cannot be read');
    try {
      return await openSource(found, indexes);
    } catch (error) {
      throw new Refusal(409, problemOf(error));
    }
  };
  const bestText = (source: RunSource): string => {
    const text = readBestText(source, readLine(source));
    if (text === null) throw new Refusal(404, 'it has not found a program yet');
    return text;
  };

  app.onError((error, context) => answerError(context, error, onError));
  app.notFound((context) => refuse(context, 404, 'there is nothing here'));
  app.use(addHeaders());
  app.use(checkHost(address));
  if (token !== undefined) app.use(checkToken(token, cookieOf(token)));
  app.use('/api/*', async (context, next) => {
    // Without a body, streams and files would never end.
    if (context.req.method === 'HEAD') throw new Refusal(405, 'ask with GET');
    await next();
  });

  app.get(ROUTES.info, (context) => {
    const { version } = options;
    const platform = `${process.platform} ${process.arch}`;
    const shown = printable(directory);
    const cores = availableParallelism();
    return context.json<ServerInfo>({
      version,
      node: process.versions.node,
      platform,
      directory: shown,
      canControl,
      cores,
    });
  });
  app.get(ROUTES.presets, (context) => context.json(answerPresets()));
  app.get(ROUTES.form, (context) => context.json(answerForm()));

  // --- All runs ---

  app.get(ROUTES.runs, async (context) => context.json(await catalog.list()));
  app.get(ROUTES.listStream, (context) =>
    streams.open(context, followList(catalog, context.req.header('Last-Event-ID'))),
  );
  app.get(ROUTES.series, async (context) => {
    const ids = readIds(context);
    const seriesOptions = readSeriesOptions(context);
    const answers = await Promise.all(
      ids.map(async (id): Promise<RunSeries | SeriesAnswer['problems'][number]> => {
        const found = await catalog.find(id);
        if (found === undefined) return { id, error: 'there is no such run' };
        const { run, summary } = found;
        if (summary.status === 'corrupt') return { id, error: summary.problem ?? 'it cannot be read' };
        return answerSeries(id, await indexes.open(run), seriesOptions);
      }),
    );
    const runs = answers.filter((answer) => 'cursor' in answer);
    return context.json<SeriesAnswer>({ runs, problems: answers.filter((answer) => 'error' in answer) });
  });

  // --- One run ---

  app.get(ROUTES.run(':id'), async (context) => {
    const { summary } = await find(context);
    return context.json(summary.status === 'corrupt' ? answerUnreadable(summary) : answerDetail(await open(context)));
  });
  app.get(ROUTES.stream(':id'), async (context) => {
    const { run, summary } = await find(context);
    if (summary.status === 'corrupt') throw new Refusal(409, summary.problem ?? 'it cannot be read');
    const text = context.req.header('Last-Event-ID') || context.req.query('cursor');
    const position = text === undefined ? findEnd(eventsPath(run)) : parseCursor(text);
    if (position === undefined) throw new Refusal(400, 'cursor: expected one that this server has given');
    return streams.open(context, followRun(catalog, run, position));
  });
  app.get(ROUTES.program(':id'), async (context) => {
    const source = await open(context);
    const answer = await shared.answer(
      `program ${versionOf(source)}`,
      () => answerBest(source, explainer),
      ({ program }) => program === null || program.isExplained,
    );
    return context.json(answer);
  });
  app.get(ROUTES.lineage(':id'), async (context) => {
    const from = readWhole(context, 'from', 0, 1_000_000, 0);
    const count = readWhole(context, 'count', 1, LIMITS.lineageSteps, LIMITS.lineageSteps);
    const source = await open(context);
    const answer = await shared.answer(
      `lineage ${from} ${count} ${versionOf(source)}`,
      () => answerLineage(source, explainer, from, count),
      ({ explained, total }) => explained === total,
    );
    return context.json(answer);
  });
  app.get(ROUTES.hall(':id'), async (context) => context.json(answerHall((await open(context)).run.directory)));
  app.get(ROUTES.diagram(':id'), async (context) => {
    const source = await open(context);
    const isStyled = context.req.query('style') !== 'none';
    const outcome = await explainer.ask('diagram', { text: bestText(source), config: source.config, isStyled });
    if ('problem' in outcome) throw new Refusal(409, outcome.problem);
    const headers = { 'Content-Type': 'image/svg+xml; charset=utf-8', 'Content-Security-Policy': DOCUMENT_POLICY };
    return context.body(outcome.answer, 200, headers);
  });
  app.get('/api/runs/:id/files/:file', async (context) => {
    const name = DOWNLOADS.find((known) => known === context.req.param('file'));
    if (name === undefined) throw new Refusal(404, 'a run has no such file');
    const source = await open(context);
    return answerDownload(context, source, name, explainer, () => bestText(source));
  });

  // --- Changes ---

  const mayControl = [
    checkControl(canControl),
    bodyLimit({
      maxSize: LIMITS.bodyBytes,
      onError: (context) => refuse(context, 413, `a body has at most ${LIMITS.bodyBytes} bytes`),
    }),
  ] as const;
  app.post(ROUTES.runs, ...mayControl, async (context) => {
    const started = await control.start(await readBody(context));
    catalog.expire();
    return context.json(started, 201);
  });
  app.post(ROUTES.stop(':id'), ...mayControl, async (context) => {
    const { run } = await find(context);
    control.stop(run);
    return context.json<Accepted>({ id: run.id }, 202);
  });
  app.post(ROUTES.resume(':id'), ...mayControl, async (context) => {
    const { run, summary } = await find(context);
    await control.resume(run, summary, await readBody(context));
    catalog.expire();
    return context.json<Accepted>({ id: run.id }, 202);
  });

  app.get('*', (context) => answerFile(context, files) ?? context.notFound());

  return {
    fetch: app.fetch,
    close: () => {
      ticks.close();
      indexes.close();
      explainer.close();
    },
  };
}
