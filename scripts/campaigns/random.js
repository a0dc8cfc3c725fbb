// `npm run campaigns -- fuzz|differential|large [--times N] [--keep]`: the campaigns of tests/campaigns with so many times the cases that CI tries,
// and seeds of their own (`--seed`, which FC_SEED is for the tests). A failure prints its case. `--keep` writes the outcome into results/.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from '../setup.js';
import { Campaign, check, root } from './report.js';

/** The files of each campaign below tests/, and how many times the cases of CI make a million. */
const CAMPAIGNS = {
  fuzz: {
    files: ['campaigns/parser-fuzz', 'campaigns/data-fuzz', 'campaigns/state-fuzz', 'campaigns/http-fuzz'],
    times: 10,
  },
  differential: { files: ['campaigns/engines-f64', 'campaigns/engines-f32'], times: 34 },
  // The engine for whole images, which agrees up to rounding.
  large: { files: ['property/large-engine'], times: 25 },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});
const name = positionals[0] ?? '';
const plan = CAMPAIGNS[name];
const times = Number(values.times ?? plan?.times);
if (plan === undefined || !(times > 0)) {
  console.error(`campaigns: there are ${Object.keys(CAMPAIGNS).join(' and ')}; --times is a number above 0`);
  process.exit(2);
}

prepare();
const place = mkdtempSync(join(tmpdir(), 'evozero-campaign-'));
const campaign = new Campaign(name);
let inputs = 0;

/** Tries a file in a process of its own. */
async function tryFile(file) {
  await campaign.try(`tests/${file}.test.ts`, async () => {
    const output = join(place, `${basename(file)}.json`);
    const args = ['run', '--project', 'integration', `tests/${file}.test.ts`, '--testTimeout', '0'];
    const reporters = ['--reporter', 'json', '--outputFile', output];
    const env = { ...process.env, EVOZERO_CAMPAIGN_TIMES: String(times), FC_SEED: values.seed };
    const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args, ...reporters], {
      cwd: root,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await once(child, 'close');
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(output, 'utf8'));
    const failure = testResults
      .flatMap(({ assertionResults, message }) => [
        message,
        ...assertionResults.flatMap((one) => one.failureMessages ?? []),
      ])
      .find((text) => text !== undefined && text !== '');
    check(numFailedTests === 0 && numPassedTests > 0 && failure === undefined, failure ?? 'nothing was tried');
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const cases = tests.reduce((sum, { meta }) => sum + (meta?.cases ?? 0), 0);
    inputs += cases;
    return `${cases.toLocaleString('en-US')} cases in ${numPassedTests} tests`;
  });
}

// One for each core; what takes longest is first in the list.
const waiting = [...plan.files];
const workers = Array.from({ length: availableParallelism() }, async () => {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) await tryFile(file);
});
await Promise.all(workers);
rmSync(place, { recursive: true, force: true });
console.log(`${inputs.toLocaleString('en-US')} cases, seed ${values.seed}`);
campaign.end({ inputs, seed: Number(values.seed) }, values.keep ? `results/campaigns/${name}.json` : undefined);
