import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

// The vectors of the original in f32, by three engines: some seconds. `fast` has them in f64.
const F32_VECTORS = 'tests/conformance/f32.test.ts';

// fast: functions and types; `npm run check` runs these. integration: the command in real processes, a fresh clone, campaigns
// of many random cases, and all cases of tests/property, of which `fast` tries some.
export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'fast',
          include: ['src/**/*.test.ts', 'tests/{architecture,conformance,property}/**/*.test.ts'],
          exclude: ['tests/architecture/fixtures/**', F32_VECTORS],
          testTimeout: 120_000,
          env: { EVOZERO_TEST_AMOUNT: 'some' },
        },
      },
      {
        test: {
          name: 'integration',
          include: ['tests/{integration,campaigns,property}/**/*.test.ts', F32_VECTORS],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Real images, and a cache that does not outlive the tests.
          globalSetup: 'tests/support/real-data.ts',
          env: { EVOZERO_DATA: process.env.EVOZERO_DATA ?? path('.data'), EVOZERO_CACHE: path('test-results/cache') },
        },
      },
    ],
  },
});
