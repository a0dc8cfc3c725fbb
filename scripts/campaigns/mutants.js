// `npm run mutants`: changes the code of src/program, src/evolve and src/evaluate in thousands of small ways, one at a time, and sees whether
// a test fails (Stryker, which is installed into a copy of the project only for this). `--only FOLDER,FOLDER`, `--keep`: the scores into
// results/. Takes hours; what has been tried is remembered in test-results/mutants, so that it goes on after a kill.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyProject, runIn } from './copy.js';
import { Campaign, check, root } from './report.js';

const FOLDERS = ['evaluate', 'evolve', 'program'];
const LEAST_SCORE = 75;
const VERSION = '9.6.1';

const { values } = parseArgs({
  options: { only: { type: 'string', default: FOLDERS.join() }, keep: { type: 'boolean', default: false } },
});
const folders = values.only.split(',');
if (!folders.every((folder) => FOLDERS.includes(folder))) {
  console.error(`mutants: there are the folders ${FOLDERS.join(', ')}`);
  process.exit(2);
}

const memory = join(root, 'test-results/mutants');
mkdirSync(memory, { recursive: true });
const { place, remove } = copyProject(`@stryker-mutator/core@${VERSION}`, `@stryker-mutator/vitest-runner@${VERSION}`);

// The tests of these folders, and of what programs and mutants promise; without a compiler or other processes.
const TESTS = ['src/{program,evolve,evaluate}/**/*.test.ts', 'tests/property/{programs,live-code,digests}.test.ts'];
writeFileSync(
  join(place, 'vitest.mutants.config.ts'),
  `export default { test: ${JSON.stringify({ include: TESTS, testTimeout: 120_000, env: { EVOZERO_TEST_AMOUNT: 'some' } })} };\n`,
);

const scores = {};
const campaign = new Campaign('mutants');
for (const folder of folders) {
  await campaign.try(`src/${folder}`, () => {
    const report = join(place, `${folder}.json`);
    const config = {
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      vitest: { configFile: 'vitest.mutants.config.ts' },
      // Texts of programs are data.
      mutate: [`src/${folder}/*.ts`, '!src/**/*.test.ts', '!src/program/builtin-texts.ts'],
      concurrency: availableParallelism(),
      coverageAnalysis: 'perTest',
      // What runs when a file is loaded would need all tests for each mutant.
      ignoreStatic: true,
      timeoutMS: 20_000,
      reporters: ['json', ...(process.stdout.isTTY ? ['progress'] : [])],
      jsonReporter: { fileName: report },
      incremental: true,
      incrementalFile: join(memory, `${folder}.json`),
    };
    writeFileSync(join(place, 'stryker.config.json'), JSON.stringify(config));
    runIn(place, 'npx', ['stryker', 'run']);
    const files = JSON.parse(readFileSync(report, 'utf8')).files;
    const all = Object.entries(files).flatMap(([file, { mutants }]) => mutants.map((one) => ({ file, ...one })));
    const count = (...statuses) => all.filter(({ status }) => statuses.includes(status)).length;
    const [found, missed] = [count('Killed', 'Timeout'), count('Survived', 'NoCoverage')];
    const score = (100 * found) / (found + missed);
    scores[folder] = { found, missed, score: Math.round(10 * score) / 10 };
    for (const { file, status, location, mutatorName, replacement = '' } of all) {
      if (status !== 'Survived' && status !== 'NoCoverage') continue;
      console.log(`  ${file}:${location.start.line}  ${mutatorName}  ${replacement.split('\n')[0].slice(0, 80)}`);
    }
    check(score >= LEAST_SCORE, `${score.toFixed(1)} %, ${missed} of ${found + missed} survive`);
    return `${score.toFixed(1)} %, ${missed} of ${found + missed} survive`;
  });
}
remove();
campaign.end({ scores }, values.keep ? 'results/campaigns/mutants.json' : undefined);
