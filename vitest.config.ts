import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

// fast: functions and types; `npm run check` runs these. integration: the command in real processes,
// a fresh clone, and campaigns of many random cases.
export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'fast',
          include: ['src/**/*.test.ts', 'tests/{architecture,conformance,property}/**/*.test.ts'],
          exclude: ['tests/architecture/fixtures/**'],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['tests/{integration,campaigns}/**/*.test.ts'],
          testTimeout: 300_000,
          // Real images, and a cache that does not outlive the tests.
          globalSetup: 'tests/support/real-data.ts',
          env: { EVOZERO_DATA: process.env.EVOZERO_DATA ?? path('.data'), EVOZERO_CACHE: path('test-results/cache') },
        },
      },
    ],
  },
});
