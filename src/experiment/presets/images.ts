// What the searches on real images have in common (paper, sections "Searching with Minimal Human Input" and "Discovering Algorithm
// Adaptations", and the supplement's paragraphs on them). Presets have the paper's settings but for the number of workers: there is one
// island for each thread, at least one for each group; `--islands` or `islands.count` decides otherwise.

/** Population, tournament and mutations: the same in all of these searches. */
export const IMAGE_SEARCH = {
  population: 100,
  tournament: 10,
  mutationProbability: 0.9,
  mutations: 'paper',
} as const;

/** Every 100 to 10,000 evaluations half of the population goes up, and as many programs of all workers come down. */
export const PAPER_MIGRATION = { every: [100, 10_000] as [number, number], part: 0.5 };

/** Sizes of the functions wherever nearly all ops are allowed. */
export const LARGE = { setup: { min: 0, max: 21 }, predict: { min: 0, max: 21 }, learn: { min: 0, max: 45 } };

/** Projected pairs of classes; selection on the 9 pairs that no search sees, then test images at the same size: whole images need
 * constants that were tuned for them (`evozero tune`). */
export function binaryTasks(search: { count: number; train: number; valid: number; epochs?: number }) {
  const { count: _, ...size } = search;
  return {
    search: { set: 'cifar10-binary-search', features: 16, ...search },
    select: { set: 'cifar10-binary-select', features: 16, ...size, count: 100 },
    final: { set: 'cifar10-binary-final', features: 16, ...size, count: 9 },
  };
}

/** The paper's hurdle is the 75th percentile; the stages are ours (docs/decisions/0014-hurdles.md). */
export function hurdles(...stages: { train: number; valid: number; epochs?: number }[]) {
  return { percentile: 75, stages };
}
