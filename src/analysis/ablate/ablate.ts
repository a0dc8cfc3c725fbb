// `evozero ablate`: what a program loses without each of its parts (paper, supplement "Interpreting Algorithms", c). Constants are
// tuned again for each variant, and of the ways to knock a part out the best counts: the loss is what cannot be mended. Pure but
// for asking the judge. Must not know what the tasks are.
import type { Loss } from '../../engine/engine.js';
import { canonicalHash } from '../../program/canonical.js';
import { liveness, simplify } from '../../program/liveness.js';
import { FUNCTION_NAMES, type LabelKind, type Program } from '../../program/program.js';
import type { Place } from '../explain/explanation.js';
import { correctHolm } from '../holm.js';
import type { Judge } from '../judge.js';
import { type Tuned, tune } from '../tune/tune.js';
import { applyEdits, type Way } from './knock-out.js';
import { comparePaired, type Difference, SIGNIFICANT } from './paired.js';
import { findSections, type Section } from './sections.js';

/** A program without something, which several ways may lead to. */
interface Variant {
  readonly hash: string;
  readonly program: Program;
}

interface PlannedWay extends Way {
  readonly hash: string;
}

interface PlannedSection extends Omit<Section, 'ways'> {
  readonly ways: readonly PlannedWay[];
}

/** Everything that will be evaluated, known before anything is. */
export interface AblationPlan {
  readonly program: Program;
  readonly labels: LabelKind;
  readonly hash: string;
  readonly sections: readonly PlannedSection[];
  /** Each once, without the program itself. */
  readonly variants: readonly Variant[];
  /** Sections that the limit left out. */
  readonly leftOut: readonly Section[];
  /** Instructions that cannot reach a prediction: knocking them out changes nothing. */
  readonly dead: readonly Place[];
}

function findDead(program: Program, labels: LabelKind): Place[] {
  const live = liveness(program, labels);
  return FUNCTION_NAMES.flatMap((name) =>
    [...program[name].keys()].filter((k) => !live[name][k]).map((index) => ({ function: name, index })),
  );
}

/** The first way to remove each instruction, then techniques, then the other ways and groups: what a limit cuts off is the end. */
function urgencyOf({ kind }: Section, wayIndex: number): number {
  if (kind === 'instruction') return wayIndex === 0 ? 0 : 2;
  return kind === 'technique' ? 1 : 3;
}

/** At most `maxVariants` programs beside the one that is looked at. */
export function planAblation(program: Program, labels: LabelKind, loss: Loss, maxVariants: number): AblationPlan {
  const hash = canonicalHash(program, labels);
  const sections = findSections(program, labels, loss);
  const variants = new Map<string, Variant>();
  const kept = sections.map((): PlannedWay[] => []);
  const all = sections.flatMap((section, at) =>
    section.ways.map((way, k) => ({ way, at, urgency: urgencyOf(section, k) })),
  );
  for (const { way, at } of all.sort((a, b) => a.urgency - b.urgency)) {
    const variant = simplify(applyEdits(program, way.edits), labels);
    const variantHash = canonicalHash(variant, labels);
    const isKnown = variantHash === hash || variants.has(variantHash);
    if (!isKnown && variants.size >= maxVariants) continue;
    if (!isKnown) variants.set(variantHash, { hash: variantHash, program: variant });
    kept[at]!.push({ ...way, hash: variantHash });
  }
  return {
    program,
    labels,
    hash,
    sections: sections.map((section, at) => ({ ...section, ways: kept[at]! })).filter(({ ways }) => ways.length > 0),
    variants: [...variants.values()],
    leftOut: sections.filter((_, at) => kept[at]!.length === 0),
    dead: findDead(program, labels),
  };
}

/** What came of one section. */
export interface Ablated extends Omit<Section, 'ways'> {
  /** The way that costs least. */
  readonly how: string;
  readonly tuned: Tuned;
  /** Of the fitness, by the intact program less that of the best way: positive where the section helps. */
  readonly loss: Difference;
  /** The p-value after Holm's correction, of all techniques or of all other sections. */
  readonly corrected?: number;
  readonly isSignificant: boolean;
  /** Whether the best way leaves the same program, but for names, dead code and order. */
  readonly isEquivalent: boolean;
  /** Other sections whose best way is the same program. */
  readonly sameAs: readonly string[];
}

/** What a loss says about a part, in two words or three. */
export function describeLoss({ isEquivalent, isSignificant, loss }: Ablated): string {
  if (isEquivalent) return 'changes nothing';
  if (!isSignificant) return 'not significant';
  return loss.mean > 0 ? 'significant' : 'better without';
}

export interface Ablation {
  readonly intact: Tuned;
  /** The greatest loss first; none if the program is stopped on every task, and has nothing to lose. */
  readonly sections: readonly Ablated[];
  /** In full evaluations. */
  readonly spent: number;
}

export interface AblateSettings {
  /** The budget of each variant and of the intact program, in full evaluations. */
  readonly trials: number;
  readonly seed: number;
}

export interface AblateProgress {
  /** Programs that are done, and all of them. */
  readonly done: number;
  readonly total: number;
}

/** p-values with Holm's correction within techniques, which are hypotheses, and within everything else, which is a sweep. */
function correctFamilies(sections: readonly { readonly kind: Section['kind']; readonly loss: Difference }[]): number[] {
  const corrected = sections.map(() => 1);
  for (const isTechnique of [true, false]) {
    const family = [...sections.keys()].filter((k) => (sections[k]!.kind === 'technique') === isTechnique);
    const values = correctHolm(family.map((k) => sections[k]!.loss.pValue ?? 1));
    for (const [rank, k] of family.entries()) corrected[k] = values[rank]!;
  }
  return corrected;
}

export async function ablate(
  { program, labels, hash, sections, variants }: AblationPlan,
  judge: Judge,
  { trials, seed }: AblateSettings,
  onProgress?: (progress: AblateProgress) => void,
): Promise<Ablation> {
  const settings = { method: 'race', trials, seed, fitness: 'mean' } as const;
  const results = new Map<string, Tuned>();
  let spent = 0;
  const total = variants.length + 1;
  for (const variant of [{ hash, program: simplify(program, labels) }, ...variants]) {
    const tuned = await tune(variant.program, labels, judge, settings);
    results.set(variant.hash, tuned);
    spent += tuned.spent;
    onProgress?.({ done: results.size, total });
    if (variant.hash === hash && tuned.best.fitness === 0) return { intact: tuned, sections: [], spent };
  }
  const intact = results.get(hash)!;
  const compared = sections.map(({ ways, ...section }) => {
    const best = ways.reduce((a, b) => (results.get(b.hash)!.best.fitness > results.get(a.hash)!.best.fitness ? b : a));
    const tuned = results.get(best.hash)!;
    const loss = comparePaired(tuned.best.fitnesses, intact.best.fitnesses);
    return { ...section, how: best.how, hash: best.hash, tuned, loss, isEquivalent: best.hash === hash };
  });
  const corrected = correctFamilies(compared);
  const ablated = compared.map(({ hash: own, ...section }, k): Ablated => {
    const isKnown = section.loss.pValue !== undefined;
    const sameAs = compared.filter((other, at) => at !== k && other.hash === own).map(({ label }) => label);
    return {
      ...section,
      ...(isKnown && { corrected: corrected[k]! }),
      isSignificant: isKnown && corrected[k]! < SIGNIFICANT,
      sameAs,
    };
  });
  return { intact, sections: ablated.sort((a, b) => b.loss.mean - a.loss.mean), spent };
}
