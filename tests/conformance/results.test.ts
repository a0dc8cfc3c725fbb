import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a plain JavaScript file without types
import { readDiscoveries, readResults, withTables } from '../../scripts/results.js';
import { renderDiscoveries, renderImageSearches } from '../../src/bench/discovery-table.js';
import { REPRODUCTIONS } from '../../src/reproduce/experiments.js';
import type { Findings } from '../../src/reproduce/findings.js';
import { renderResults } from '../../src/reproduce/results-table.js';

const NAMES = REPRODUCTIONS.map(({ name }) => name);
const results: readonly Findings[] = readResults(NAMES);

describe('the results that are kept', () => {
  it('are what docs/results.md says (npm run results)', () => {
    expect(readFileSync(new URL('../../docs/results.md', import.meta.url), 'utf8')).toBe(renderResults(results));
  });

  it('are what docs/discovery.md says (npm run results)', () => {
    const page = readFileSync(new URL('../../docs/discovery.md', import.meta.url), 'utf8');
    const found = readDiscoveries();
    expect(page).toBe(withTables(page, renderDiscoveries(found), renderImageSearches(found)));
  });

  it.each(results)(
    '$name: of an experiment that there is, at a scale that means something',
    ({ name, scale, claims }) => {
      expect(NAMES).toContain(name);
      expect(scale).not.toBe('smoke');
      expect(claims.length).toBeGreaterThan(0);
    },
  );
});
