import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { countRuns } from '../../tests/support/amount.js';
import { type Config, parseConfig } from '../experiment/config.js';
import type { RunEvent } from '../experiment/events.js';
import { findPreset } from '../experiment/presets.js';
import { Run } from '../experiment/run.js';
import { builtin } from '../program/builtin.js';
import { printProgram } from '../program/print.js';
import type { RecordedResult } from './recorded-result.js';
import { renderReportPage } from './report-page.js';
import { collectRun, type RunSource } from './reported-run.js';
import { SORT_SCRIPT, SORT_SCRIPT_HASH } from './sort-script.js';

const ENVIRONMENT = { version: '1.2.4', node: '20.1.2', platform: 'linux x64' };

let config: Config;
let events: RunEvent[];
let result: RecordedResult;

/** A real run, and a small one. */
beforeAll(async () => {
  const preset = findPreset('linear');
  config = parseConfig({ ...preset, seed: 4, stop: { ...preset.stop, algorithms: 5000 } });
  const run = await Run.start(config);
  events = [];
  while (!run.isDone) events.push(...(await run.advance(1000)));
  result = { run: '/runs/linear-4', ...run.result(), seconds: 2.5, cpuSeconds: 3.25 };
  run.dispose();
});

function sourceOf(changes: Partial<RunSource> = {}): RunSource {
  return {
    name: 'linear-4',
    directory: '/runs/linear-4',
    status: 'finished',
    version: '1.2.3',
    config,
    result,
    events: () => events,
    seconds: null,
    program: undefined,
    ...changes,
  };
}

function render(...changes: Partial<RunSource>[]): string {
  return renderReportPage(
    changes.map((change) => collectRun(sourceOf(change))),
    ENVIRONMENT,
  );
}

/** The words of a page. */
function textOf(page: string): string {
  const body = page.slice(page.indexOf('<body>')).replace(/<script>[^<]*<\/script>/, '');
  return body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

/** The same run with a program that uses many techniques. */
function withProgram(name: string): Partial<RunSource> {
  const { program, labels } = builtin(name)!;
  const text = printProgram(program, labels);
  const first = {
    id: 0,
    fitness: 0.3,
    origin: 'initial',
    parent: null,
    program: 'def Setup():\ndef Predict():\ndef Learn():\n',
  };
  const last = { id: 1000, fitness: 0.9, origin: 'insert', parent: null, program: text };
  return {
    result: { ...result, program: text, simplified: text, lineage: [first, last] as RecordedResult['lineage'] },
  };
}

describe('one run', () => {
  test('says what was found, how well, by whom, and how to find it again', () => {
    const text = textOf(render({}));
    expect(text).toContain('linear, seed 4 linear-4');
    expect(text).toContain('which does not suffice: 0.9999 was asked for.');
    expect(text).toContain('after 5,000 algorithms in 1 experiment and 2.5 s.');
    expect(text).toContain(`Select ${result.selectFitness!.toFixed(6)} 100 linear-select tasks`);
    expect(text).toContain('As it was found, with what has no effect');
    expect(text).toContain('# no effect');
    expect(text).toContain('How programs were judged');
    expect(text).toContain('evozero run linear --seed 4 --max-algorithms 5000');
    expect(text).toContain('2.5 s, 3.3 s of processor time');
    expect(text).toContain('evozero 1.2.3, in f64');
    expect(text).toContain('evozero 1.2.4, Node.js 20.1.2, linux x64');
    expect(text).not.toMatch(/NaN|undefined|null/);
    expect(text).not.toContain('What each part is worth');
  });

  test('explains the program: comments, techniques, where they came from, flow, algebra', () => {
    const page = render(withProgram('paper/linear'));
    const text = textOf(page);
    expect(text).toContain('# prediction');
    expect(text).toMatch(/Techniques linear model/);
    expect(text).toContain('stochastic gradient descent');
    expect(page).toMatch(/<tspan class="words"> linear model, stochastic gradient descent<\/tspan>/);
    expect(page).toContain('<li class="came">linear model</li>');
    expect(page).toMatch(/<figure class="flow"[^>]*><svg/);
    expect(page).toContain('\\begin{align*}');
    // The drawing's own style would be that of the whole page.
    expect(page.split('<style>')).toHaveLength(2);
  });

  test('a program that never heard of the features is called what it is', () => {
    const empty = 'def Setup():\n\ndef Predict(v0):\n\ndef Learn(v0, s0):\n';
    const page = render({ result: { ...result, program: empty, simplified: empty } });
    expect(textOf(page)).toContain('Nothing in it reaches the prediction, which is always zero.');
  });

  test('a program that draws its predictions has not learned them', () => {
    const random = 'def Setup():\n\ndef Predict(v0):\n  s1 = gaussian(0, 1)\n\ndef Learn(v0, s0):\n';
    const text = textOf(render({ result: { ...result, program: random, simplified: random } }));
    expect(text).toContain('What it predicts does not depend on the features.');
    expect(text).not.toContain('It learns');
  });

  test('a text that is no program is shown all the same', () => {
    const text = textOf(render({ result: { ...result, program: 'def Upset():', simplified: 'def Upset():' } }));
    expect(text).toContain('def Upset():');
    expect(text).toContain('this is no program.');
    expect(text).toContain('How it came about');
  });
});

describe('runs without a result', () => {
  const unfinished = { result: undefined, status: 'stopped', seconds: 1.5 } as const;
  const cutAt = (type: RunEvent['type']) => {
    const end = events.findIndex((event) => event.type === type);
    return { ...unfinished, events: () => events.slice(0, end) };
  };

  test('one that has selected a program tells of that', () => {
    const { selectFitness } = events.find((event) => event.type === 'select')!;
    const text = textOf(render(cutAt('final')));
    expect(text).toContain('This run is stopped before its end. The best program so far reached');
    expect(text).toContain(`Select ${selectFitness.toFixed(6)}`);
    expect(text).toContain('Final none');
    expect(text).not.toMatch(/processor time|which suffices|does not suffice/);
  });

  test('one that is still in its first experiment says that nothing is selected', () => {
    const text = textOf(render({ ...cutAt('select'), status: 'running' }));
    expect(text).toContain('This run is still going. Nothing is selected yet');
    expect(text).toContain('the best program so far of experiment 1, with');
    expect(text).toContain('How it came about');
    expect(text).not.toMatch(/NaN|undefined|null/);
  });

  test('one that has found nothing says so, alone and among others', () => {
    const nothing = { ...unfinished, seconds: null, events: () => events.slice(0, 1) };
    const text = textOf(render(nothing));
    expect(text).toContain('It has found no program yet. It is at 0 algorithms in 1 experiment.');
    expect(text).toContain('There is no program.');
    expect(text).not.toMatch(/NaN|undefined|null/);
    expect(textOf(render(nothing, nothing))).toContain('2 runs not finished.');
    expect(textOf(render(nothing, {}))).toContain(
      '0 of 1 run that can be judged found a program that suffices. 1 run not',
    );
  });

  test('one whose log is lost has its program', () => {
    const text = textOf(render({ ...unfinished, events: () => [], program: result.program! }));
    expect(text).toContain('There is a program, but no record of how it was found and what it reached.');
    expect(text).toContain('def Predict(v0):');
  });
});

describe('several runs', () => {
  test('begin with an overview that leads to each', () => {
    const page = render({ name: 'a' }, { name: 'b', result: { ...result, success: true } }, { name: 'c' });
    expect(textOf(page)).toContain('1 of 3 runs found a program that suffices.');
    expect(page).toContain('<a href="#run-2">b</a>');
    expect(page).toContain('<td class="outcome good">success</td>');
    expect(page.match(/<details class="run /g)).toHaveLength(3);
    expect(page.match(/<g class="line-\d"/g)).toHaveLength(3);
  });

  test('no two things on the page have one name, and every reference leads somewhere', () => {
    const page = render(withProgram('paper/linear'), withProgram('paper/neural-net'), {});
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
    const references = [...page.matchAll(/aria-labelledby="([^"]*)"|href="#([^"]*)"|url\(#([^)]*)\)/g)].flatMap(
      ([, labels, anchor, marker]) => (labels ?? anchor ?? marker)!.split(' '),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(references.length).toBeGreaterThan(30);
    expect([...new Set(references)].filter((reference) => !ids.includes(reference))).toEqual([]);
  });

  test('very many have a line and a row each, and the page stays small', () => {
    const run = collectRun(sourceOf());
    const page = renderReportPage(
      Array.from({ length: 60 }, (_, k) => ({ ...run, name: `run ${k}` })),
      ENVIRONMENT,
    );
    expect(page.match(/<tr><th scope="row">.*run \d/g)).toHaveLength(60);
    expect(page.match(/<details class="run /g)).toHaveLength(40);
    expect(page.match(/<g class="line-bad"/g)).toHaveLength(60);
    expect(textOf(page)).toContain('20 more runs in the table alone');
    expect(page.length).toBeLessThan(3_000_000);
  });
});

describe('the page', () => {
  test('needs nothing from outside, and forbids it; the only script is its own', () => {
    const [one, several] = [render({}), render({}, {})];
    for (const page of [one, several]) {
      expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(
        /<link|<img|<iframe|@import|url\([^#]|https?:/,
      );
    }
    expect(one).not.toContain('<script');
    expect(one).toContain(`content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"`);
    expect(several).toContain(`; script-src &#39;${SORT_SCRIPT_HASH}&#39;"`);
    expect(several).toContain(`<script>${SORT_SCRIPT}</script>`);
    const hash = createHash('sha256').update(SORT_SCRIPT).digest('base64');
    expect(SORT_SCRIPT_HASH).toBe(`sha256-${hash}`);
  });

  test('nothing that users or programs wrote becomes markup', () => {
    const hostile = `</style></script></pre>"'><script>alert(1)</script><img src=x onerror=alert(1)>&lt;\u202E`;
    const program = `def Setup():\n  ${hostile}\n# ${hostile}\n`;
    const names = { name: hostile, directory: hostile, version: hostile };
    const lineage = result.lineage.map((entry) => ({ ...entry, program, parent: { id: 0, fitness: 0, program } }));
    const poisoned = { ...result, run: hostile, preset: hostile, program, simplified: `${program}#`, lineage };
    const settings = { ...config, name: hostile, about: hostile, space: { ...config.space, base: program } };
    const finished = { ...names, config: settings, result: poisoned };
    const unfinished = { ...names, config: settings, result: undefined, status: 'stopped' as const, program };
    const ablated = { ...collectRun(sourceOf(finished)), ablation: { problem: hostile } };
    const pages = [
      render(finished),
      render({ ...unfinished, events: () => [] }),
      renderReportPage([ablated, collectRun(sourceOf(unfinished))], {
        version: hostile,
        node: hostile,
        platform: hostile,
      }),
    ];
    const plain = render({}, {});
    const tagsOf = (text: string) => new Set([...text.matchAll(/<\/?([a-z!]\w*)/gi)].map(([, tag]) => tag));
    for (const page of pages) {
      expect([...tagsOf(page)].filter((tag) => !tagsOf(plain).has(tag))).toEqual([]);
      expect(page.split('&lt;script&gt;alert(1)&lt;/script&gt;').length).toBeGreaterThan(8);
      expect(page).not.toContain('\u202E');
      expect(page.split('</style>')).toHaveLength(2);
      expect(page.split('</script>').length).toBeLessThanOrEqual(2);
      expect(page).not.toMatch(/<[^>]* on\w+=/);
    }
  });

  test('a million events make a small page', () => {
    const place = { type: 'progress', experiment: 1, hurdles: [] } as const;
    const counts = { overBudget: 0, canonicalHits: 0, fingerprintHits: 0, cut: 0, audited: 0, evaluated: 0 };
    const event = { ...place, ...counts, trainSteps: 0, work: 0, algorithms: 0, best: 0, mean: 0 };
    const count = countRuns(1_000_000);
    function* many(): Generator<RunEvent> {
      yield { type: 'experiment', experiment: 1, algorithms: 0 };
      for (let k = 1; k <= count; k++) {
        // One object for all: nothing may keep an event but for the last.
        Object.assign(event, { algorithms: 1000 * k, best: 1 - 1 / k, mean: 0.5 + 0.1 * Math.sin(k) });
        yield event;
      }
    }
    const run = collectRun(sourceOf({ events: many }));
    expect(run.progress.length).toBeLessThan(20_000);
    expect(run.progress.at(-1)).toEqual({ algorithms: 1000 * count, fitness: 1 - 1 / count });
    expect(renderReportPage([run, run], ENVIRONMENT).length).toBeLessThan(400_000);
  });

  test('is a pure function', () => {
    expect(render({}, {})).toBe(render({}, {}));
  });
});
