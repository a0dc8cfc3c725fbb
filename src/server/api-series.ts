// The part of the dashboard's contract that is about charts: lines of one run or several. Types only; api.ts says where they are.

/**
 * Lines of one experiment, as columns of the same length, in order of `algorithms`; null where a line has no point. Of each stretch that is
 * thinned out, the first and last points and the extremes of every line are kept.
 */
export interface ExperimentSeries {
  readonly experiment: number;
  /** Algorithms of the run when it began: `algorithms` minus this is how far the experiment was. */
  readonly start: number;
  /** Of the whole run. */
  readonly algorithms: readonly number[];
  readonly best: readonly (number | null)[];
  readonly mean: readonly (number | null)[];
  /** The last one. */
  readonly hurdle: readonly (number | null)[];
}

export interface RunSeries {
  readonly id: string;
  /** In order; of many, see `LIMITS.experiments`. */
  readonly experiments: readonly ExperimentSeries[];
  /** Experiments that have no lines here. */
  readonly leftOut: number;
  /** The best fitness so far over the whole run. */
  readonly overall: { readonly algorithms: readonly number[]; readonly best: readonly number[] };
  /** Give it to the stream, which goes on exactly after these points. */
  readonly cursor: string;
  /** As `RunDetail.readPart`: the stream brings the rest. */
  readonly readPart: number;
}

export interface SeriesAnswer {
  readonly runs: readonly RunSeries[];
  /** Runs that cannot be read, and why. */
  readonly problems: readonly { readonly id: string; readonly error: string }[];
}
