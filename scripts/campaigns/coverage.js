// `npm run coverage`: which lines of src/ the tests run, in their own processes and in those of the commands that they start. In a copy of
// the project, since it needs tools that nothing else does. `--keep`: the outcome into results/. As long as `npm test`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium, ensurePython, ensureRedis } from '../system-packages.js';
import { copyProject, runIn } from './copy.js';
import { Campaign, check, root } from './report.js';

const LEAST_PERCENT = 90;

const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } });
const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.vitest;

ensureRedis();
ensurePython();
ensureChromium();
const { place, remove } = copyProject(`@vitest/coverage-v8@${version}`, 'c8@12.0.0');
const raw = join(place, 'coverage/raw');
mkdirSync(raw, { recursive: true });

// Node writes what a process has run where this variable says; tests hand it on to the processes that they start.
writeFileSync(
  join(place, 'vitest.coverage.config.ts'),
  `import base from './vitest.config.js';
const test = base.test!;
const projects = test.projects!.map((project: any) => ({
  ...project,
  test: { ...project.test, env: { ...project.test.env, NODE_V8_COVERAGE: ${JSON.stringify(raw)} } },
}));
const coverage = {
  enabled: true, provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts'], reporter: ['json'],
  reportsDirectory: 'coverage/tests', reportOnFailure: true,
};
export default { ...base, test: { ...test, projects, coverage } };
`,
);

/** What istanbul's files say: of each line of each source file on which a statement begins, whether it was run. */
function linesOf(file) {
  const lines = new Map();
  for (const { path, statementMap, s } of Object.values(JSON.parse(readFileSync(file, 'utf8')))) {
    const ofFile = new Map();
    for (const [key, { start }] of Object.entries(statementMap)) {
      ofFile.set(start.line, (ofFile.get(start.line) ?? false) || s[key] > 0);
    }
    lines.set(relative(place, path), ofFile);
  }
  return lines;
}

/** Leaves only what was compiled from this copy: the rest is of the tests' own processes, which count for themselves. */
function keepCompiled() {
  const prefix = `file://${join(place, 'dist')}/`;
  for (const name of readdirSync(raw)) {
    const file = join(raw, name);
    let coverage = { result: [] };
    try {
      coverage = JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      // It was killed while it wrote.
    }
    const result = coverage.result.filter(({ url }) => url.startsWith(prefix));
    writeFileSync(file, JSON.stringify({ result }));
  }
}

const percent = (run, all) => Math.round((1000 * run) / Math.max(1, all)) / 10;
const campaign = new Campaign('coverage');
const folders = {};
await campaign.try('all tests', () => {
  const outcome = join(place, 'coverage/tests.json');
  const reporters = ['--reporter', 'dot', '--reporter', 'json', '--outputFile.json', outcome];
  const vitest = ['vitest', 'run', '--config', 'vitest.coverage.config.ts', ...reporters];
  spawnSync('npx', vitest, { cwd: place, stdio: ['ignore', 2, 'inherit'] });
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(outcome, 'utf8'));
  const failed = testResults.flatMap(({ name, status, assertionResults }) => {
    const tests = assertionResults.filter((one) => one.status === 'failed').map((one) => one.fullName);
    return status === 'failed' ? `${relative(place, name)}: ${tests.join('; ')}` : [];
  });
  check(failed.length === 0 && numPassedTests > 0, `${numFailedTests} failed: ${failed.join(', ')}`);
  return `${numPassedTests} passed`;
});
await campaign.try('lines of src/', () => {
  keepCompiled();
  const c8 = ['report', '--temp-directory', raw, '--reporter', 'json', '--reports-dir', 'coverage/processes'];
  runIn(place, 'npx', ['c8', ...c8, '--include', 'src/**', '--exclude', 'src/**/*.test.ts', '--exclude-after-remap']);
  const tests = linesOf(join(place, 'coverage/tests/coverage-final.json'));
  const processes = linesOf(join(place, 'coverage/processes/coverage-final.json'));
  const files = [...tests].map(([file, lines]) => {
    const inProcess = processes.get(file);
    const missed = [...lines].filter(([line, isRun]) => !isRun && inProcess?.get(line) !== true).map(([line]) => line);
    return { file, all: lines.size, missed };
  });
  for (const { file, all, missed } of files) {
    const folder = file.split('/').length > 2 ? file.split('/')[1] : '.';
    folders[folder] ??= { lines: 0, missed: 0, percent: 0 };
    const sum = folders[folder];
    sum.lines += all;
    sum.missed += missed.length;
    sum.percent = percent(sum.lines - sum.missed, sum.lines);
  }
  for (const { file, all, missed } of files.toSorted((a, b) => b.missed.length - a.missed.length)) {
    if (missed.length > 0) console.log(`  ${file}  ${percent(all - missed.length, all)} %  ${missed.join(' ')}`);
  }
  console.table(folders);
  const all = files.reduce((sum, file) => sum + file.all, 0);
  const missed = files.reduce((sum, file) => sum + file.missed.length, 0);
  const share = percent(all - missed, all);
  check(share >= LEAST_PERCENT, `${share} % of ${all}`);
  return `${share} % of ${all}`;
});
remove();
campaign.end({ folders }, values.keep ? 'results/campaigns/coverage.json' : undefined);
