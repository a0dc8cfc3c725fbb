import { defineConfig } from 'vitest/config';

// fast: pure functions, no process is started; `npm run check` runs these. integration: real processes and files.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'fast',
          include: ['src/**/*.test.ts', 'tests/{architecture,conformance,property}/**/*.test.ts'],
          exclude: ['tests/architecture/fixtures/**'],
          testTimeout: 120_000,
        },
      },
      { test: { name: 'integration', include: ['tests/integration/**/*.test.ts'], testTimeout: 300_000 } },
    ],
  },
});
