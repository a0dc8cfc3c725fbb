// What a reproduction of an experiment of the paper ends with: claims with the paper's numbers beside ours, figures, tables and programs.
// Plain data, kept as JSON; pages, CSV files and docs/results.md are made of it. Must not know how it was measured.

/** How our numbers stand to what the paper says; `open` where the scale shows nothing either way. */
export type Verdict = 'reproduced' | 'partly' | 'not-reproduced' | 'open';

export interface Claim {
  readonly claim: string;
  readonly paper: string;
  readonly ours: string;
  readonly verdict: Verdict;
  /** Why, where we do not reproduce it or measured something else. */
  readonly note?: string;
}

export interface Axis {
  readonly label: string;
  readonly log?: boolean;
  readonly from?: number;
  readonly to?: number;
}

export interface FigurePoint {
  readonly x: number;
  readonly y: number;
  /** An interval around y. */
  readonly low?: number;
  readonly high?: number;
  /** Written beside the point: a callout. */
  readonly label?: string;
}

export interface FigureSeries {
  readonly name: string;
  /** `steps` holds each value until the next one, as a best fitness does. */
  readonly shape: 'points' | 'line' | 'steps';
  readonly points: readonly FigurePoint[];
}

/** A level to compare with, drawn across the figure. */
export interface FigureLevel {
  readonly name: string;
  readonly y: number;
}

export interface PlotFigure {
  readonly kind: 'plot';
  readonly title: string;
  readonly caption: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly FigureSeries[];
  readonly levels?: readonly FigureLevel[];
}

export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
  /** The paper's value, marked beside ours. */
  readonly paper?: number;
}

export interface BarFigure {
  readonly kind: 'bars';
  readonly title: string;
  readonly caption: string;
  readonly y: Axis;
  readonly bars: readonly Bar[];
  readonly levels?: readonly FigureLevel[];
}

export type Figure = PlotFigure | BarFigure;

export type Cell = string | number | null;

export interface Table {
  /** Also the name of its CSV file: small letters, digits and hyphens. */
  readonly name: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A program that was found. */
export interface FoundProgram {
  readonly name: string;
  /** What it is, and where it comes from. */
  readonly about: string;
  readonly text: string;
}

export interface Findings {
  /** Of the reproduction, such as `difficulty`. */
  readonly name: string;
  readonly title: string;
  /** Where in the paper: "Figure 4", "Supplement, table S5". */
  readonly paper: string;
  readonly question: string;
  readonly scale: string;
  readonly seed: number;
  /** What repeats it. */
  readonly command: string;
  readonly version: string;
  /** Processor, cores, Node. */
  readonly machine: string;
  /** When it ended, as an ISO date without a time. */
  readonly date: string;
  /** Of the work itself, over all interruptions, on a machine that may have had other work. */
  readonly seconds: number;
  /** Processor time of its searches, which other work on the machine does not change. */
  readonly searchCpuSeconds?: number;
  readonly claims: readonly Claim[];
  readonly figures: readonly Figure[];
  readonly tables: readonly Table[];
  readonly programs: readonly FoundProgram[];
  /** How the scale differs from the paper's, and what to know when reading this. */
  readonly notes: readonly string[];
}
