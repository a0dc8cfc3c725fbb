// What the four searches of figure 4 have in common: small experiments with random programs of fixed sizes, on three tasks.

/** How figure 4 searches tasks of a family. */
export function figure4(family: 'linear' | 'affine') {
  const set = (role: string, count: number) => ({
    set: `${family}-${role}`,
    count,
    features: 8,
    train: 1000,
    valid: 100,
  });
  return {
    search: {
      population: 1000,
      tournament: 10,
      mutationProbability: 0.9,
      // Without insert and remove, which would change the sizes.
      mutations: { weights: { 'randomize-function': 1, 'alter-argument': 1 }, constants: 'paper' },
      initial: ['random'],
    },
    tasks: { search: set('search', 3), select: set('select', 100), final: set('final', 100) },
    evaluation: { fitness: 'mean', budget: null },
    // The paper's processes know nothing of each other here.
    islands: { migration: null },
    // On the tasks to select on, the known solutions score 0.9999 or less at a learning rate of 0.01 and 0.99999998 at 0.02; from
    // 0.05 to 0.12 only rounding is left.
    stop: { fitness: 0.9999, experiments: 1000 },
  } as const;
}
