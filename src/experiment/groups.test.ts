import { describe, expect, it } from 'vitest';
import { type ConfigInput, parseConfig } from './config.js';
import { groupConfigs, groupOf, islandCount } from './groups.js';
import { findPreset } from './presets.js';

const preset = findPreset('linear');
const withIslands = (islands: ConfigInput['islands']) => parseConfig({ ...preset, islands } as ConfigInput);
const problemOf = (islands: ConfigInput['islands']) => () => withIslands(islands);

describe('groups of islands', () => {
  it('are one without anything to vary', () => {
    expect(groupConfigs(preset)).toEqual([preset]);
    expect(islandCount(preset)).toBe(1);
  });

  it('are all combinations, in order', () => {
    const config = withIslands({
      count: 12,
      vary: [
        [{ features: 4 }, { features: 8 }],
        [
          { count: 1, train: 20, population: 50 },
          { count: 5, train: 40 },
          { count: 10, epochs: 3 },
        ],
      ],
    });
    const groups = groupConfigs(config).map(({ tasks, search }) => {
      const { features, count, train, epochs } = tasks.search;
      return [features, count, train, epochs, search.population];
    });
    const { train, epochs } = preset.tasks.search;
    expect(groups).toEqual(
      [4, 8].flatMap((features) => [
        [features, 1, 20, epochs, 50],
        [features, 5, 40, epochs, preset.search.population],
        [features, 10, train, 3, preset.search.population],
      ]),
    );
    expect(Array.from({ length: 12 }, (_, island) => groupOf(island, 6))).toEqual([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]);
  });

  it('are refused where they cannot be', () => {
    const axis = [{ features: 4 }, { features: 8 }];
    expect(problemOf({ count: 1, vary: [axis] })).toThrow(/islands\.count: 1 cannot be divided over 2 groups/);
    expect(problemOf({ migration: { every: [50, 20] } })).toThrow(/islands\.migration\.every: 50 is larger than 20/);
    expect(problemOf({ vary: [[{ population: 3 }]] })).toThrow(/population: 3 is smaller than search\.tournament/);
    expect(problemOf({ vary: [[{ set: 'digits-multiclass-search' }]] })).toThrow(
      /vary\[0\]\[0\]\.set: its programs are not of the kind/,
    );
    expect(problemOf({ count: 0 })).toThrow(/islands\.count: expected a whole number from 1/);
    expect(problemOf({ vary: [[{ feature: 3 } as object]] })).toThrow(/unknown field "feature"/);
  });
});
