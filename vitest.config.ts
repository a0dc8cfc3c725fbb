// Which tests run where, and in which processes: the projects that `npm run check` (fast*) and `npm test` (all) run.
// A test file needs no entry here: its folder and the end of its name say everything.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

// The vectors of the original in f32, by three engines: some seconds. `fast` has them in f64.
const F32_VECTORS = 'tests/conformance/f32.test.ts';
// x.slow.test.ts among the tests of the documentation needs the compiler.
const SLOW_DOCS = 'tests/docs/*.slow.test.ts';
// x.alone.test.ts replaces modules with vi.mock, or makes the engine's memory grow for good: it gets a process of its own.
const ALONE = 'src/**/*.alone.test.ts';
// Files of which `fast` tries some cases (tests/support/amount.ts), and `integration` all: random programs, and x.many.test.ts.
const MANY = ['tests/property/**/*.test.ts', 'src/**/*.many.test.ts'];

const fast = { testTimeout: 120_000, hookTimeout: 120_000, env: { EVOZERO_TEST_AMOUNT: 'some' } };

export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      {
        // Functions and types. The files share processes, since loading the modules again for each takes longer than most tests.
        test: {
          ...fast,
          name: 'fast',
          include: ['{src,web}/**/*.test.ts', 'tests/{architecture,conformance,docs}/**/*.test.ts', ...MANY],
          exclude: ['tests/architecture/fixtures/**', F32_VECTORS, SLOW_DOCS, ALONE],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: { ...fast, name: 'fast-alone', include: [ALONE], sequence: { groupOrder: 1 } },
      },
      {
        // The command in real processes, a fresh clone, campaigns of many random cases, and all cases of MANY. Not at the same time
        // as `fast`, whose processes would end whenever a file of another project came next.
        test: {
          name: 'integration',
          include: ['tests/{integration,campaigns,tutorials}/**/*.test.ts', F32_VECTORS, SLOW_DOCS, ...MANY],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 1 },
          // Real images, and a cache that does not outlive the tests.
          globalSetup: 'tests/support/real-data.ts',
          env: { EVOZERO_DATA: process.env.EVOZERO_DATA ?? path('.data'), EVOZERO_CACHE: path('test-results/cache') },
        },
      },
      {
        // The pages in a real Chromium, when nothing else runs. Waits are long: what is slow is no failure.
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 60_000 } },
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
