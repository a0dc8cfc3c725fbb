// `evozero fit` and `evozero predict` as a user runs them: real processes on real and on broken tables.
import { mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { evozero, type Run } from '../support/cli.js';

const folder = mkdtempSync(join(tmpdir(), 'evozero-fit-'));
const at = (name: string) => join(folder, name);

function file(name: string, ...lines: readonly string[]): string {
  writeFileSync(at(name), `${lines.join('\n')}\n`);
  return at(name);
}

const QUICK = ['--max-algorithms', '150', '--workers', '1'];

function fitQuickly(data: string, ...more: readonly string[]): Run {
  return evozero(['fit', data, ...QUICK, ...more]);
}

/** One line, without a stack trace, and the exit code of a user's mistake. */
function expectMistake({ status, stderr }: Run, message: string | RegExp): void {
  const last = stderr.trimEnd().split('\n').at(-1)!;
  expect(last).toMatch(message);
  expect(last).not.toContain('bug in evozero');
  expect(status).toBe(2);
}

describe('wine', () => {
  const model = at('wine.json');
  let fitted: Run;
  let found: {
    readonly heldOutRows: number;
    readonly algorithms: number;
    readonly evolved: { readonly program: string; readonly heldOut: { readonly accuracy: number } };
    readonly baselines: readonly { readonly name: string; readonly difference: { readonly verdict: string } }[];
  };

  beforeAll(() => {
    fitted = fitQuickly('examples/wine.csv', '--target', 'cultivar', '--out', model, '--json');
    found = JSON.parse(fitted.stdout);
  });

  it('is fitted, with held-out scores beside those of the baselines', () => {
    expect(fitted.status).toBe(0);
    expect(found).toMatchObject({ heldOutRows: 36, algorithms: 150 });
    expect(found.evolved.heldOut.accuracy).toBeGreaterThan(0.8);
    expect(found.baselines.map(({ name }) => name)).toEqual(['logistic regression', 'two-layer network']);
    for (const { difference } of found.baselines) expect(['better', 'worse', 'noise']).toContain(difference.verdict);
  });

  it('is fitted the same way again', () => {
    fitQuickly('examples/wine.csv', '--target', 'cultivar', '--out', at('again.json'), '--json');
    expect(readFileSync(at('again.json'), 'utf8')).toBe(readFileSync(model, 'utf8'));
  });

  it('is predicted, and scored if the target is there', () => {
    const { status, stdout } = evozero(['predict', model, 'examples/wine.csv', '--out', at('p.csv')]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^cultivar: accuracy \d+\.\d % \(.*\) on 178 rows\n$/);
    const [header, ...rows] = readFileSync(at('p.csv'), 'utf8').trimEnd().split('\n');
    expect(header).toBe('prediction,probability');
    expect(rows).toHaveLength(178);
    for (const row of rows) expect(row).toMatch(/^[ABC],(0\.\d+|1)$/);
  });

  it('is predicted alike from columns in another order, without the target, with others', () => {
    const lines = readFileSync('examples/wine.csv', 'utf8').trimEnd().split('\n').slice(0, 20);
    const same = evozero(['predict', model, file('some.csv', ...lines)]);
    const turned = lines.map((line, k) => [k === 0 ? 'extra' : 'x', ...line.split(',').slice(0, -1).reverse()].join());
    const other = evozero(['predict', model, file('turned.csv', ...turned)]);
    expect(other.stdout).toBe(same.stdout);
    expect(other.stderr).toContain('1 column not used: "extra"');
    expect(same.stderr).toContain('cultivar: accuracy');
  });

  it('needs its columns', () => {
    expectMistake(
      evozero(['predict', model, file('few.csv', 'alcohol,ash', '1,2')]),
      /lacks the columns "malic_acid", /,
    );
  });

  it('never predicts from a model that somebody has edited', () => {
    const text = readFileSync(model, 'utf8');
    writeFileSync(at('edited.json'), text.replace(/"mean": (\d)/, '"mean": 9$1'));
    const run = evozero(['predict', at('edited.json'), 'examples/wine.csv']);
    expectMistake(run, /edited\.json: has another content than its checksum says/);
    expect(run.stdout).toBe('');
    writeFileSync(at('cut.json'), text.slice(0, text.length / 2));
    expectMistake(evozero(['predict', at('cut.json'), 'examples/wine.csv']), /cut\.json: is no JSON/);
  });
});

describe('automobiles', () => {
  it('have a price in its own units, with categories and missing cells', () => {
    const model = at('automobile.json');
    const flags = ['--target', 'price', '--out', model, '--features', '8', '--best'];
    const run = fitQuickly('examples/automobile.csv', ...flags);
    expect(run.status).toBe(0);
    expect(run.stdout).toMatch(/evolved +R² -?\d\.\d+ \(.*\), RMSE \d{4,} \(\d+ to \d+\), \d+ epochs?\n/);
    expect(run.stdout).toMatch(/the linear regression/);
    const [header, first] = readFileSync('examples/automobile.csv', 'utf8').split('\n') as [string, string];
    const strange = first.replace('alfa-romero', 'trabant');
    const predicted = evozero(['predict', model, file('trabant.csv', header, strange, first)]);
    expect(predicted.stderr).toContain('column "make": 1 cell with values unknown to the model, as if missing');
    const [, ...prices] = predicted.stdout.trimEnd().split('\n').map(Number);
    expect(prices).toHaveLength(2);
    for (const price of prices) expect(price).toBeGreaterThan(1000);
  });
});

describe('mistakes', () => {
  const rows = Array.from({ length: 30 }, (_, k) => `${k},${k % 2 ? 'a' : 'b'},c`);
  const table = file('t.csv', 'x,y,z', ...rows);

  it.each([
    ['no target', [table], /t\.csv: --target names the column to predict/],
    ['another target', [table, '--target', 'Y'], /t\.csv: no column "Y"; did you mean "y"\?/],
    ['one class', [table, '--target', 'z'], /t\.csv: target "z" is always "c"/],
    ['nothing but the target', [table, '--target', 'y', '--ignore', 'x'], /no column is left to learn from/],
    ['few rows', [file('f.csv', 'x,y,z', ...rows.slice(0, 9)), '--target', 'y'], /f\.csv: has 9 rows with a target/],
    ['no rows', [file('h.csv', 'x,y'), '--target', 'y'], /h\.csv: there is a header, but no rows/],
    ['no file', [at('none.csv'), '--target', 'y'], /none\.csv: no such file or directory/],
    ['no table', ['linear', '--target', 'y'], /linear: expected a \.csv or \.tsv file/],
    ['a directory to write to', [table, '--target', 'y', '--out', folder], /is a directory; --out names a file/],
  ])('%s', (_, args, message) => {
    expectMistake(evozero(['fit', ...args]), message);
  });

  it('an empty file', () => {
    writeFileSync(at('e.csv'), '');
    expectMistake(evozero(['fit', at('e.csv'), '--target', 'y']), /e\.csv: is empty/);
  });

  it('a huge file', () => {
    writeFileSync(at('huge.csv'), 'x,y\n');
    truncateSync(at('huge.csv'), 2 ** 31);
    expectMistake(evozero(['fit', at('huge.csv'), '--target', 'y']), /huge\.csv: has more than \d+ bytes of text/);
  });

  it('a file that is no model', () => {
    expectMistake(evozero(['predict', table, table]), /t\.csv: is no JSON/);
    expectMistake(evozero(['predict', at('none.json'), table]), /none\.json: no such file or directory/);
  });
});
