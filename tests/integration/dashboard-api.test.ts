// What the dashboard answers about runs that the real command has made, good and bad ones side by side.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { identifyProcess } from '../../src/runs/run-lock.js';
import type {
  BestProgram,
  HallOfFame,
  Lineage,
  RunDetail,
  RunList,
  RunSummary,
  SeriesAnswer,
} from '../../src/server/api.js';
import { compiled, evozero, startEvozero } from '../support/cli.js';
import { ask, askJson, type DashboardProcess, startDashboard } from '../support/dashboard.js';
import { temporaryFolder } from '../support/folders.js';
import { expectMistake } from '../support/mistake.js';

const folder = temporaryFolder();
const path = (...names: string[]) => join(folder, ...names);
const NASTY = '<img src=x onerror=alert(1)>';

function copyRun(name: string, change: (directory: string) => void = () => {}): void {
  cpSync(path('good'), path(name), { recursive: true });
  change(path(name));
}

function readResult() {
  return JSON.parse(readFileSync(path('good', 'result.json'), 'utf8'));
}

async function summaries(dashboard: DashboardProcess): Promise<Map<string, RunSummary>> {
  const { runs } = await askJson<RunList>(dashboard, '/api/runs');
  return new Map(runs.map((run) => [run.name, run]));
}

beforeAll(() => {
  compiled('cli/main.js');
  const flags = ['--seed', '4', '--workers', '1', '--max-algorithms', '300000', '--out', path('good'), '--json'];
  expect(evozero(['run', 'linear', ...flags]).status).toBe(0);
  copyRun('stopped', (run) => rmSync(join(run, 'result.json')));
  copyRun('killed', (run) => {
    rmSync(join(run, 'result.json'));
    const ended = { ...identifyProcess(process.pid), pid: spawnSync('true').pid };
    writeFileSync(join(run, 'lock'), JSON.stringify(ended));
  });
  copyRun('bad-config', (run) => writeFileSync(join(run, 'config.json'), '{"evozero"'));
  copyRun('bad-result', (run) => writeFileSync(join(run, 'result.json'), '{"run":1}'));
  copyRun('no-config', (run) => rmSync(join(run, 'config.json')));
  copyRun('bad-events', (run) => {
    rmSync(join(run, 'result.json'));
    writeFileSync(
      join(run, 'events.jsonl'),
      '{"type":"best","experiment":1,"algorithms":5,"fitness":"x"}\nnonsense\n\u0000\n{"type":"pro',
    );
  });
  copyRun('linked', (run) => {
    rmSync(join(run, 'best.alg'));
    symlinkSync('/etc/passwd', join(run, 'best.alg'));
  });
  copyRun(NASTY);
  copyRun('a/b/deep');
  copyRun('a/b/c/too-deep');
  mkdirSync(path('empty'));
  symlinkSync('/etc', path('elsewhere'));
}, 120_000);

describe('the list', () => {
  it('has every run with its state, whatever the others are like', async () => {
    const runs = await summaries(await startDashboard(folder));
    const states = Object.fromEntries([...runs].map(([name, { status }]) => [name, status]));
    expect(states).toEqual({
      [NASTY]: 'finished',
      'a/b/deep': 'finished',
      'bad-config': 'corrupt',
      'bad-events': 'stopped',
      'bad-result': 'corrupt',
      good: 'finished',
      killed: 'failed',
      linked: 'corrupt',
      'no-config': 'corrupt',
      stopped: 'stopped',
    });
    for (const name of ['bad-config', 'bad-result', 'no-config', 'linked', 'killed']) {
      expect(runs.get(name)!.problem, name).toMatch(/\S/);
    }
    const { searchFitness, selectFitness, finalFitness, algorithms, seconds } = readResult();
    expect(runs.get('good')).toMatchObject({
      preset: 'linear',
      seed: 4,
      bestFitness: searchFitness,
      selectFitness,
      finalFitness,
      algorithms,
      seconds,
    });
    expect(runs.get('stopped')).toMatchObject({
      bestFitness: searchFitness,
      selectFitness,
      finalFitness: null,
      algorithms,
    });
    expect(runs.get('good')!.algorithmsPerSecond).toBeCloseTo(algorithms / seconds);
  });

  it('is the same for a dashboard of one run, and after a restart', async () => {
    const [all, one] = [await startDashboard(folder), await startDashboard(path('good'))];
    const again = await startDashboard(folder);
    const [{ runs }] = [await askJson<RunList>(one, '/api/runs')];
    expect(runs.map(({ name, status }) => [name, status])).toEqual([['good', 'finished']]);
    expect(await summaries(again)).toEqual(await summaries(all));
  });
});

describe('a run', () => {
  it('tells its settings, scores, counts and files', async () => {
    const dashboard = await startDashboard(folder);
    const { id } = (await summaries(dashboard)).get('good')!;
    const detail = await askJson<RunDetail>(dashboard, `/api/runs/${id}`);
    const { counts, selectFitness, finalFitness, searchFitness } = readResult();
    expect(detail).toMatchObject({
      counts,
      command: expect.stringMatching(/^evozero run linear --seed 4/),
      readPart: 1,
    });
    expect(detail.scores).toMatchObject({ search: searchFitness, select: selectFitness, final: finalFitness });
    expect(detail.scores.finalFitnesses).toHaveLength(detail.config!.tasks.final.count);
    expect(detail.rates!.evaluated).toBeCloseTo(counts.evaluated / counts.algorithms);
    for (const { name, bytes } of detail.files) {
      const { status, body, headers } = await ask(dashboard, `/api/runs/${id}/files/${name}`);
      expect(status, name).toBe(200);
      expect(headers['content-disposition']).toMatch(/^attachment; filename="good-/);
      if (bytes !== null) expect(body).toEqual(readFileSync(path('good', name)));
      else expect(body.toString()).toMatch(/class GoodModel/);
    }
    expect(detail.files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['best.alg', 'best.ts', 'best.py', 'progress.csv', 'result.json']),
    );
  });

  it.each(['good', 'stopped'])('tells the program and the lineage of the %s one', async (name) => {
    const dashboard = await startDashboard(folder);
    const { id } = (await summaries(dashboard)).get(name)!;
    let best: BestProgram;
    do best = await askJson<BestProgram>(dashboard, `/api/runs/${id}/program`);
    while (!best.program!.isExplained);
    const { program, simplified, lineage } = readResult();
    expect(best.program).toMatchObject({ labels: 'scalar', raw: { text: program }, simplified: { text: simplified } });
    expect(best.program!.simplified.techniques.map((technique) => technique.name)).toContain('linear-model');
    expect(best.program!.parent!.raw).toBe(lineage.at(-1).parent.program);
    let told: Lineage;
    do told = await askJson<Lineage>(dashboard, `/api/runs/${id}/lineage`);
    while (told.explained < told.total);
    const last = told.steps.at(-1)!;
    expect(last).toMatchObject({ program, simplified, fitness: lineage.at(-1).fitness });
    expect(told.steps.length).toBe(told.total);
    // Without a result only those ancestors are known that were the best of all; what these had already has no flag.
    const flagged = told.flags.flatMap(({ techniques }) => techniques.map((technique) => technique.name));
    expect(flagged).toContain(name === 'good' ? 'linear-model' : 'sgd');
    const ids = lineage.map((entry: { id: number }) => entry.id);
    expect(told.steps.map((step) => step.id)).toEqual(name === 'good' ? ids : ids.slice(-told.total));
    const some = await askJson<Lineage>(dashboard, `/api/runs/${id}/lineage?from=1&count=2`);
    expect(some.steps).toEqual(told.steps.slice(1, 3));
  });

  it('draws the flow of data and tells the hall of fame', async () => {
    const dashboard = await startDashboard(folder);
    const { id } = (await summaries(dashboard)).get(NASTY)!;
    const svg = await ask(dashboard, `/api/runs/${id}/diagram.svg`);
    expect(svg.body.toString()).toMatch(/^<svg [\s\S]*<style>/);
    expect(svg.headers['content-security-policy']).toMatch(/sandbox/);
    expect((await ask(dashboard, `/api/runs/${id}/diagram.svg?style=none`)).body.toString()).not.toContain('<style');
    const { entries } = await askJson<HallOfFame>(dashboard, `/api/runs/${id}/hall-of-fame`);
    expect(entries[0]!.program).toMatch(/^def Setup/);
    expect(entries.map(({ rank }) => rank)).toEqual(entries.map((_, k) => k + 1));
    const { headers } = await ask(dashboard, `/api/runs/${id}/files/best.alg`);
    expect(headers['content-disposition']).toBe('attachment; filename="_img_src_x_onerror_alert_1_-best.alg"');
  });

  it('says what is wrong with one that cannot be read, and survives one that is full of nonsense', async () => {
    const dashboard = await startDashboard(folder);
    const runs = await summaries(dashboard);
    const corrupt = runs.get('bad-config')!.id;
    expect(await askJson<RunDetail>(dashboard, `/api/runs/${corrupt}`)).toMatchObject({ config: null, files: [] });
    expect((await ask(dashboard, `/api/runs/${corrupt}/program`)).status).toBe(409);
    expect((await ask(dashboard, `/api/runs/${runs.get('linked')!.id}/files/best.alg`)).status).toBe(409);
    const nonsense = runs.get('bad-events')!.id;
    for (const what of ['', '/program', '/lineage', '/hall-of-fame']) {
      expect((await ask(dashboard, `/api/runs/${nonsense}${what}`)).status, what).toBe(200);
    }
  });

  it('gives its lines, beside those of others', async () => {
    const dashboard = await startDashboard(folder);
    const runs = await summaries(dashboard);
    const ids = ['good', 'stopped', 'bad-config'].map((name) => runs.get(name)!.id);
    const answer = await askJson<SeriesAnswer>(
      dashboard,
      `/api/series?runs=${ids.join(',')},nothing&points=16&scale=linear`,
    );
    expect(answer.runs.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(answer.problems.map(({ id }) => id)).toEqual([ids[2], 'nothing']);
    const [series] = answer.runs;
    const experiment = series!.experiments.at(-1)!;
    expect(experiment.algorithms.length).toBeLessThanOrEqual(16);
    for (const line of ['best', 'mean', 'hurdle'] as const)
      expect(experiment[line]).toHaveLength(experiment.algorithms.length);
    expect(Math.max(...series!.overall.best)).toBe(readResult().searchFitness);
    for (const points of ['3', '99999', 'x', '1e3']) {
      expect((await ask(dashboard, `/api/series?runs=${ids[0]}&points=${points}`)).status).toBe(400);
    }
  });
});

describe('the command', () => {
  it('explains mistakes, and ends in order', async () => {
    expectMistake(['dashboard', path('nowhere')], /nowhere: no such file or directory/);
    expectMistake(['dashboard', path('good', 'config.json')], /is not a directory/);
    const without = evozero(['dashboard'], { cwd: path('empty') });
    expect([without.status, without.stderr]).toEqual([
      2,
      expect.stringMatching(/^evozero: runs: no such .*evozero run/),
    ]);
    expectMistake(['dashboard', folder, '--host', '203.0.113.77'], /203\.0\.113\.77 is no address of this machine/);
    const { port } = await startDashboard(folder);
    expectMistake(['dashboard', folder, '--port', String(port)], new RegExp(`port ${port} is taken`));
    const { child, done } = startEvozero(['dashboard', folder, '--port', '0']);
    await new Promise((resolve) => child.stdout!.once('data', resolve));
    child.kill('SIGINT');
    const { status, stdout, stderr } = await done;
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/http:\/\/127\.0\.0\.1:\d+\/\n/);
  });
});
