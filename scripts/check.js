// `npm run check`: format, lint, types and the fast tests. `npm test` (--all): every test.
// Installs and compiles what is missing first, and ends with one line that counts the tests.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './setup.js';
import { ensureChromium, ensurePython, ensureRedis } from './system-packages.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const results = join(root, 'test-results/vitest.json');
const all = process.argv.includes('--all');

/** Starts a tool of node_modules. Fulfilled with whether it succeeded, when it has ended. */
function run(title, tool, args, { signal, stdio = 'inherit' } = {}) {
  const started = performance.now();
  const child = spawn(process.execPath, [join(root, 'node_modules', tool), ...args], { cwd: root, stdio, signal });
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  // That it was aborted is said by what aborts it; `close` follows.
  child.on('error', () => {});
  return new Promise((resolve) => {
    child.on('close', (status) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      if (!signal?.aborted) console.log(`${said}${status === 0 ? 'ok' : 'FAILED'}: ${title} (${seconds} s)`);
      resolve(status === 0);
    });
  });
}

/**
 * Checks types, looking only at what has changed since the last time. What it says comes in one piece, since others run at the
 * same time. The memory is not in node_modules, which every install empties.
 */
function checkTypes(title, config) {
  const memory = `test-results/types/${config}.tsbuildinfo`;
  const pretty = String(process.stdout.isTTY === true);
  const args = ['-p', config, '--incremental', '--tsBuildInfoFile', memory, '--pretty', pretty];
  return run(title, 'typescript/bin/tsc', args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** How many tests passed and failed; a file that could not be loaded is one failed test. */
function countTests() {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(results, 'utf8'));
  const unloaded = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  return { passed: numPassedTests, failed: numFailedTests + unloaded };
}

prepare();
if (all) {
  ensureRedis();
  ensurePython();
  ensureChromium();
}
if (!(await run('format and lint', '@biomejs/biome/bin/biome', ['check', '--error-on-warnings']))) process.exit(1);

// Types and tests at the same time: tests do not need types, and no tool alone keeps two processors busy all the time.
rmSync(results, { force: true });
const giveUp = new AbortController();
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
const projects = all ? [] : ['--project=fast*'];
const tests = run('tests', 'vitest/vitest.mjs', ['run', ...reporters, ...projects], { signal: giveUp.signal });
const types = await Promise.all([
  checkTypes('types', 'tsconfig.json'),
  checkTypes('types of what runs in a browser', 'tsconfig.browser.json'),
  checkTypes('types of the pages', 'tsconfig.web.json'),
]);
if (types.includes(false)) {
  giveUp.abort();
  process.exit(1);
}
const passed = await tests;
const count = countTests();
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exit(passed && count.failed === 0 && count.passed > 0 ? 0 : 1);
