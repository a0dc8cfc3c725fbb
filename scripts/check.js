// `npm run check`: format, lint, types and the fast tests. `npm test` (--all): every test.
// Installs and compiles what is missing first, and ends with one line that counts the tests.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './setup.js';
import { ensurePython, ensureRedis } from './system-packages.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const results = join(root, 'test-results/vitest.json');
const all = process.argv.includes('--all');

/** Runs a tool of node_modules; false if it failed. */
function run(title, tool, ...args) {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', tool), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok' : 'FAILED'}: ${title} (${seconds} s)`);
  return status === 0;
}

/** How many tests passed and failed; a file that could not be loaded is one failed test. */
function countTests() {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(results, 'utf8'));
  const unloaded = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  return { passed: numPassedTests, failed: numFailedTests + unloaded };
}

prepare();
/** Checks types, looking only at what has changed since the last time. */
function checkTypes(title, config) {
  const memory = `node_modules/.cache/${config}.tsbuildinfo`;
  return run(title, 'typescript/bin/tsc', '-p', config, '--incremental', '--tsBuildInfoFile', memory);
}

const sound =
  run('format and lint', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings') &&
  checkTypes('types', 'tsconfig.json') &&
  checkTypes('types of what runs in a browser', 'tsconfig.browser.json');
if (!sound) process.exit(1);
if (all) {
  ensureRedis();
  ensurePython();
}

rmSync(results, { force: true });
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
const passed = run('tests', 'vitest/vitest.mjs', 'run', ...reporters, ...(all ? [] : ['--project=fast']));
const count = countTests();
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exit(passed && count.failed === 0 && count.passed > 0 ? 0 : 1);
