// `npm run mutants`: changes the code of src/program, src/evolve and src/evaluate in thousands of small ways, one at a time, and sees whether
// a test fails (Stryker, which is installed into a copy of the project only for this). `--only FOLDER,FOLDER`, `--keep`: the scores into
// results/. Takes hours, or with `--part 0.25` a quarter of them, for changes in a random quarter of the lines; what has been tried is remembered
// in test-results/mutants.json, so that it goes on after a kill.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from '../setup.js';
import { copyProject, runIn } from './copy.js';
import { Campaign, check, root } from './report.js';

const FOLDERS = ['evaluate', 'evolve', 'program'];
const LEAST_SCORE = 75;
const VERSION = '9.6.1';
/** So many files are tried before what came of them is written down. */
const BATCH = 10;
/** Lines that are drawn together. */
const PIECE = 15;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: FOLDERS.join() },
    part: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});
const folders = values.only.split(',');
if (!folders.every((folder) => FOLDERS.includes(folder))) {
  console.error(`mutants: there are the folders ${FOLDERS.join(', ')}`);
  process.exit(2);
}
const part = Number(values.part);
if (!(part > 0 && part <= 1)) {
  console.error('mutants: --part is above 0 and at most 1');
  process.exit(2);
}
prepare();
const { RandomStream } = await import('../../dist/util/random.js');
const random = new RandomStream(Number(values.seed));

const memory = join(root, 'test-results/mutants.json');
mkdirSync(join(root, 'test-results'), { recursive: true });
const { place, remove } = copyProject(`@stryker-mutator/core@${VERSION}`, `@stryker-mutator/vitest-runner@${VERSION}`);

// The tests of these folders, and of what programs and mutants promise; without a compiler or other processes.
const TESTS = ['src/{program,evolve,evaluate}/**/*.test.ts', 'tests/property/{programs,live-code,digests}.test.ts'];
const test = {
  include: TESTS,
  testTimeout: 120_000,
  env: { EVOZERO_TEST_AMOUNT: 'some' },
  setupFiles: 'mutants.setup.ts',
};
writeFileSync(join(place, 'vitest.mutants.config.ts'), `export default { test: ${JSON.stringify(test)} };\n`);
// Whether a case fails is enough; which is the smallest that does takes long to find.
writeFileSync(
  join(place, 'mutants.setup.ts'),
  "import fc from 'fast-check';\nfc.configureGlobal({ endOnFailure: true });\n",
);

/** The lines of a file that are changed, as Stryker names them: all, or random pieces of it. */
function drawRanges(file) {
  if (part === 1) return [file];
  const lines = readFileSync(join(place, file), 'utf8').split('\n').length;
  const firsts = Array.from({ length: Math.ceil(lines / PIECE) }, (_, k) => 1 + k * PIECE);
  return firsts.filter(() => random.uniform() < part).map((first) => `${file}:${first}-${first + PIECE - 1}`);
}

/** Changes these files, and remembers what came of it. */
function tryFiles(files) {
  const ranges = files.flatMap(drawRanges);
  if (ranges.length === 0) return;
  const config = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutants.config.ts' },
    mutate: ranges,
    concurrency: availableParallelism(),
    coverageAnalysis: 'perTest',
    // What runs when a file is loaded would need all tests for each mutant.
    ignoreStatic: true,
    timeoutMS: 8000,
    reporters: process.stdout.isTTY ? ['progress'] : ['progress-append-only'],
    incremental: true,
    incrementalFile: memory,
  };
  writeFileSync(join(place, 'stryker.config.json'), JSON.stringify(config));
  runIn(place, 'npx', ['stryker', 'run'], { stdio: 'inherit' });
}

/** All mutants of a folder that have been tried. */
function mutantsOf(folder) {
  const files = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')).files : {};
  return Object.entries(files)
    .filter(([file]) => file.startsWith(`src/${folder}/`))
    .flatMap(([file, { mutants }]) => mutants.map((one) => ({ file, ...one })));
}

const scores = {};
const campaign = new Campaign('mutants');
for (const folder of folders) {
  await campaign.try(`src/${folder}`, () => {
    // Texts of programs are data.
    const files = readdirSync(join(place, 'src', folder), { recursive: true })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'builtin-texts.ts')
      .map((name) => `src/${folder}/${name}`);
    for (let first = 0; first < files.length; first += BATCH) tryFiles(files.slice(first, first + BATCH));

    const all = mutantsOf(folder);
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
campaign.end({ scores, part }, values.keep ? 'results/campaigns/mutants.json' : undefined);
