// What the dashboard's streams tell while a run goes on: everything once, over restarts of the server, and what is no longer true.
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { NewBest, RunList, RunUpdate, SeriesAnswer } from '../../src/server/api.js';
import { compiled, evozero } from '../support/cli.js';
import { ask, askJson, type DashboardProcess, openStream, type Stream, startDashboard } from '../support/dashboard.js';
import { emptyFolder, temporaryFolder } from '../support/folders.js';

const recorded = join(temporaryFolder(), 'run');
let lines: string[];

beforeAll(() => {
  compiled('cli/main.js');
  const flags = ['--seed', '4', '--workers', '1', '--max-algorithms', '200000', '--out', recorded, '--json'];
  expect(evozero(['run', 'linear', ...flags]).status).toBe(0);
  lines = readFileSync(join(recorded, 'events.jsonl'), 'utf8').trimEnd().split('\n');
}, 120_000);

/** A run of which the first events are there. */
function beginRun(events: number): { readonly folder: string; readonly log: string } {
  const folder = emptyFolder();
  const run = join(folder, 'run');
  mkdirSync(run);
  cpSync(join(recorded, 'config.json'), join(run, 'config.json'));
  const log = join(run, 'events.jsonl');
  writeFileSync(
    log,
    lines
      .slice(0, events)
      .map((line) => `${line}\n`)
      .join(''),
  );
  return { folder, log };
}

async function idOfRun(dashboard: DashboardProcess): Promise<string> {
  return (await askJson<RunList>(dashboard, '/api/runs')).runs[0]!.id;
}

const idsIn = (log: readonly string[]) =>
  log
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'best')
    .map(({ id }) => id as number);
const updatesOf = (stream: Stream) => stream.messages.filter(({ event }) => event === 'update');
const bestsOf = (stream: Stream) =>
  updatesOf(stream).flatMap(({ data }) => (data as RunUpdate).bests.map(({ id }: NewBest) => id));

it('tell every event once, to a page that sees the server die and come back', async () => {
  const half = Math.floor(lines.length / 2);
  const { folder, log } = beginRun(5);
  const first = await startDashboard(folder);
  const id = await idOfRun(first);
  const { runs } = await askJson<SeriesAnswer>(first, `/api/series?runs=${id}`);
  const before = await openStream(first, `/api/runs/${id}/stream?cursor=${runs[0]!.cursor}`);
  // Lines come in any pieces, even within a line.
  const more = lines
    .slice(5, half)
    .map((line) => `${line}\n`)
    .join('');
  appendFileSync(log, more.slice(0, 700));
  await before.until(({ event }) => event === 'update');
  appendFileSync(log, more.slice(700));
  const lastOfHalf = idsIn(lines.slice(0, half)).at(-1)!;
  const seen = await before.until(({ data }) => data.bests?.some((best: NewBest) => best.id === lastOfHalf));
  expect(seen?.id).toMatch(/^\d+-[\da-f]{8}$/);
  await first.kill();

  appendFileSync(
    log,
    lines
      .slice(half)
      .map((line) => `${line}\n`)
      .join(''),
  );
  const second = await startDashboard(folder);
  const after = await openStream(second, `/api/runs/${id}/stream`, seen!.id);
  await after.until(({ data }) => data.hasNews === true && data.bests !== undefined);
  const last = idsIn(lines).at(-1)!;
  await after.until(() => bestsOf(after).includes(last));
  expect([...bestsOf(before), ...bestsOf(after)]).toEqual(idsIn(lines.slice(5)));
  const points = [...updatesOf(before), ...updatesOf(after)].flatMap(({ data }) => (data as RunUpdate).points);
  expect(Math.max(...points.map(({ best }) => best ?? 0))).toBe(
    Math.max(
      ...lines
        .map((line) => JSON.parse(line))
        .filter(({ type }) => type === 'best')
        .map(({ fitness }) => fitness),
    ),
  );
});

it('go on with an experiment that has begun, and had nothing to show', async () => {
  const { folder } = beginRun(1);
  const dashboard = await startDashboard(folder);
  const id = await idOfRun(dashboard);
  const { runs } = await askJson<SeriesAnswer>(dashboard, `/api/series?runs=${id}`);
  // The stream does not say again that it has begun.
  expect(runs[0]!.experiments).toMatchObject([{ experiment: 1, start: 0, algorithms: [] }]);
});

it('say that a log is no longer what it was', async () => {
  const { folder, log } = beginRun(8);
  const dashboard = await startDashboard(folder);
  const id = await idOfRun(dashboard);
  const { runs } = await askJson<SeriesAnswer>(dashboard, `/api/series?runs=${id}`);
  const stream = await openStream(dashboard, `/api/runs/${id}/stream?cursor=${runs[0]!.cursor}`);
  // As a search does that was killed and goes on from its checkpoint.
  truncateSync(log, Buffer.byteLength(`${lines[0]}\n${lines[1]}\n`));
  expect((await stream.until(({ event }) => event === 'reset'))?.event).toBe('reset');
  const anew = await askJson<SeriesAnswer>(dashboard, `/api/series?runs=${id}`);
  expect(anew.runs[0]!.experiments[0]!.algorithms).toHaveLength(1);
});

it('tell what changes in the list, and nothing if nothing does', async () => {
  const { folder } = beginRun(3);
  const dashboard = await startDashboard(folder);
  const stream = await openStream(dashboard, '/api/stream');
  const list = await stream.until(({ event }) => event === 'list');
  expect(list!.data.runs).toHaveLength(1);
  cpSync(recorded, join(folder, 'other'), { recursive: true });
  const came = await stream.until(({ data }) => data.changed?.some(({ name }: { name: string }) => name === 'other'));
  expect(came!.data.changed).toHaveLength(1);
  rmSync(join(folder, 'other'), { recursive: true });
  const went = await stream.until(({ data }) => data.removed?.length > 0);
  expect(went!.data.removed).toEqual([came!.data.changed[0].id]);
  // Who has this very list already, from whichever server, is not told it again.
  const other = await startDashboard(folder);
  const again = await openStream(other, '/api/stream', list!.id);
  await (await openStream(other, '/api/stream')).until(({ event }) => event === 'list');
  expect(again.messages).toEqual([]);
});

it('are refused for what is no run and no cursor', async () => {
  const { folder } = beginRun(3);
  const dashboard = await startDashboard(folder);
  const id = await idOfRun(dashboard);
  expect((await ask(dashboard, '/api/runs/nothing/stream')).status).toBe(404);
  expect((await ask(dashboard, `/api/runs/${id}/stream?cursor=nonsense`)).status).toBe(400);
  expect((await ask(dashboard, '/api/stream', { method: 'HEAD' })).status).toBe(405);
});
