// The part of the dashboard's contract that is about programs: the best one with its explanation, how it came about, and the hall of fame.
// Types only; api.ts says where they are.
import type { TechniqueName } from '../analysis/explain/explanation.js';
import type { Origin } from '../evolve/lineage.js';
import type { ForFunctions, FunctionName, LabelKind } from '../program/program.js';

export interface TechniqueNote {
  readonly name: TechniqueName;
  /** In words: `stochastic gradient descent`. */
  readonly title: string;
  /** One sentence about this program. */
  readonly why: string;
  /** Instructions that show it, from 0 on, in the text that has it; of a step of a lineage, in `simplified`. */
  readonly places: readonly { readonly function: FunctionName; readonly index: number }[];
}

export interface ProgramText {
  readonly text: string;
  readonly instructions: number;
}

export interface ExplainedText extends ProgramText {
  /** For each instruction; empty where there is nothing to say. */
  readonly comments: ForFunctions<readonly string[]>;
  /** Addresses and what they are: `{ s2: 'learning rate' }`. */
  readonly names: Readonly<Record<string, string>>;
  readonly techniques: readonly TechniqueNote[];
}

/** The selected program; before there is one, the best of the last experiment. */
export interface BestProgram {
  /** Null if nothing was found yet. */
  readonly program: {
    readonly labels: LabelKind;
    readonly fitness: number | null;
    readonly origin: Origin | null;
    /** If not, comments, names, techniques, remark and LaTeX are empty because explaining takes long; ask again after a while. */
    readonly isExplained: boolean;
    /** As it was found, and without what has no effect. */
    readonly raw: ExplainedText;
    readonly simplified: ExplainedText;
    /** What was changed; null for an initial program, and where it is not known. */
    readonly parent: {
      readonly id: number;
      readonly fitness: number | null;
      readonly raw: string;
      readonly simplified: string;
    } | null;
    /** What is plain about the prediction, if something is: `always the same`. */
    readonly remark: string | null;
    /** What it computes, as LaTeX. */
    readonly latex: string;
  } | null;
  /** Why there is none, or none that can be shown. */
  readonly problem?: string;
}

export interface LineageStep {
  /** From 1 on. */
  readonly number: number;
  /** Programs that the experiment had proposed before it. */
  readonly id: number;
  /** The same, but never more than were proposed when it was told of: where the line of its experiment in the chart has it. */
  readonly place: number;
  /** The mutation. */
  readonly origin: Origin;
  readonly fitness: number | null;
  /** To the step before. */
  readonly gain: number | null;
  readonly parent: { readonly id: number; readonly fitness: number | null; readonly program: string } | null;
  readonly program: string;
  readonly simplified: string;
  readonly instructions: number;
  /** Techniques that the step before did not have; and those that it had and this one has not. */
  readonly appeared: readonly TechniqueNote[];
  readonly disappeared: readonly TechniqueName[];
  /** It gained next to nothing, and no technique came or went. */
  readonly isSmall: boolean;
}

/** The steps that led to the best program. */
export interface Lineage {
  /** Null if nothing was found yet. */
  readonly experiment: number | null;
  readonly total: number;
  /** The number of the first step here, from 0 on. */
  readonly from: number;
  /** At most `LIMITS.lineageSteps`. */
  readonly steps: readonly LineageStep[];
  /** Not so if ancestors were never the best, so that a run that goes on says nothing of them; or of more than 2,000 steps. */
  readonly isWhole: boolean;
  /** Steps from the first on whose techniques are known by now; while these are fewer than `total`, ask again after a while. */
  readonly explained: number;
  /** Of all steps: where techniques came that stayed, or came first, for callouts above the chart. */
  readonly flags: readonly {
    /** From 1 on, as in `LineageStep.number`. */
    readonly step: number;
    /** As in `LineageStep`. */
    readonly place: number;
    readonly fitness: number | null;
    readonly techniques: readonly { readonly name: TechniqueName; readonly title: string; readonly isLost: boolean }[];
  }[];
  readonly problem?: string;
}

export interface HallOfFame {
  readonly entries: readonly {
    readonly rank: number;
    readonly fitness: number | null;
    readonly experiment: number;
    readonly id: number;
    readonly hash: string;
    readonly instructions: number;
    /** Simplified. */
    readonly program: string;
  }[];
}
