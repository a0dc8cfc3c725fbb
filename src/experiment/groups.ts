// Groups of islands: each combination of what a configuration varies is a group, and islands are divided uniformly over the groups
// (paper, "Detailed Search Experiment Setups"). Must not know how islands run.
import type { Config } from './config-schema.js';

type Variant = Config['islands']['vary'][number][number];

function combinations(axes: Config['islands']['vary']): Variant[] {
  return axes.reduce<Variant[]>(
    (before, axis) => before.flatMap((variant) => axis.map((other) => ({ ...variant, ...other }))),
    [{}],
  );
}

/** The configuration of each group; there is at least one. */
export function groupConfigs(config: Config): Config[] {
  return combinations(config.islands.vary).map(({ population, ...tasks }) => ({
    ...config,
    search: { ...config.search, ...(population !== undefined && { population }) },
    tasks: { ...config.tasks, search: { ...config.tasks.search, ...tasks } },
  }));
}

/** The group of an island, both from 0 on. */
export function groupOf(island: number, groups: number): number {
  return island % groups;
}

/** How many islands there are: one, unless somebody has decided otherwise. */
export function islandCount({ islands }: Config): number {
  return islands.count ?? 1;
}
