// What a terminal shows while a search runs, and the line that stands for it elsewhere. Pure functions of the status: must
// not know where it comes from, nor when and how the text reaches the terminal.
import type { Colors, Formatter } from 'picocolors/types.js';
import { percentText } from '../util/number-text.js';
import { printable } from '../util/quote.js';
import { bar, count, duration } from './output.js';
import { colorProgram } from './program-colors.js';
import { sparkline } from './sparkline.js';

export interface RunStatus {
  /** Such as `linear, seed 0`. */
  readonly title: string;
  readonly about: string;
  readonly phase: 'search' | 'select' | 'final';
  /** From 1. */
  readonly experiment: number;
  /** At most so many. */
  readonly experiments?: number;
  readonly algorithms: number;
  readonly trainSteps: number;
  /** Of late, as is the next. */
  readonly algorithmsPerSecond: number;
  readonly stepsPerSecond: number;
  /** How many of the algorithms had which fate. */
  readonly canonicalHits: number;
  readonly fingerprintHits: number;
  readonly evaluated: number;
  readonly cut: number;
  readonly overBudget: number;
  /** A fitness. */
  readonly hurdle?: number;
  readonly hasFingerprint: boolean;
  readonly hasHurdles: boolean;
  readonly bestFitness?: number;
  /** The best fitness so far at regular moments. */
  readonly bestHistory: readonly number[];
  readonly selectFitness?: number;
  /** The select fitness that suffices. */
  readonly target?: number;
  readonly elapsedSeconds: number;
  /** From 0 to 1, of the tightest limit. */
  readonly progress?: number;
  readonly secondsLeft?: number;
  /** The best program in the paper's notation, simplified. */
  readonly program?: string;
  /** Algorithms since it was found. */
  readonly programAge: number;
  /** What made it. */
  readonly mutation?: string;
  readonly parentFitness?: number;
  readonly directory?: string;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

// --- Numbers -----------------------------------------------------------------------------------------------------------

const MILLIONS = ['M', 'G', 'T'];

/** `310,000`, `1.2 M`: as exact as something that changes all the time can be read. */
function amount(n: number): string {
  if (n < 1e6) return n.toLocaleString('en-US', { maximumSignificantDigits: 3 });
  const unit = Math.min(MILLIONS.length - 1, Math.floor(Math.log10(n) / 3) - 2);
  const value = n / 1e6 / 1000 ** unit;
  return `${value.toFixed(value < 100 ? 1 : 0)} ${MILLIONS[unit]}`;
}

/** With as many digits as tell it from 1: that distance is what a search makes smaller. Short, for it changes all the time. */
function fitness(value: number): string {
  const digits = Math.ceil(-Math.log10(Math.abs(1 - value))) + 1;
  return value.toFixed(Math.max(5, Math.min(17, digits))).replace(/\.?0+$/, '');
}

// --- Words -------------------------------------------------------------------------------------------------------------

const PHASES: Readonly<Record<RunStatus['phase'], string>> = {
  search: 'searching',
  select: 'selecting',
  final: 'final evaluation',
};

function experimentText({ experiment, experiments }: RunStatus): string {
  const [number, all] = [experiment, experiments].map((n) => n?.toLocaleString('en-US'));
  return all === undefined ? `experiment ${number}` : `experiment ${number} of ${all}`;
}

function selectedText({ selectFitness, target }: RunStatus): string | undefined {
  if (selectFitness === undefined) return undefined;
  return `selected ${fitness(selectFitness)}${target === undefined ? '' : ` of ${fitness(target)}`}`;
}

/** One line without colours, where lines stay. */
export function plainLine(status: RunStatus): string {
  const { phase, algorithms, algorithmsPerSecond, bestFitness, elapsedSeconds } = status;
  const facts = [
    experimentText(status),
    phase === 'search' ? undefined : PHASES[phase],
    `${count(algorithms, 'algorithm')} (${amount(algorithmsPerSecond)}/s)`,
    bestFitness === undefined ? undefined : `best ${fitness(bestFitness)}`,
    selectedText(status),
    duration(elapsedSeconds),
  ];
  return facts.filter((fact) => fact !== undefined).join(', ');
}

// --- Lines -------------------------------------------------------------------------------------------------------------

/** A part of a line. The one with the greatest rank goes first where there is no room. */
interface Piece {
  readonly rank: number;
  readonly text: string;
  readonly paint: Formatter;
}

const GAP = '  ';

function shortenTo(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;
}

/** The pieces that fit, the most important one in any case. */
function layOut(pieces: readonly Piece[], columns: number): string {
  const width = pieces.map(({ text }) => text).join(GAP).length;
  if (width <= columns || pieces.length === 1) {
    return pieces.map(({ text, paint }) => paint(shortenTo(text, columns))).join(GAP);
  }
  const last = Math.max(...pieces.map(({ rank }) => rank));
  return layOut(
    pieces.filter(({ rank }) => rank !== last),
    columns,
  );
}

/** Words recede, so that numbers stand out; units of one letter stay with their number. */
function dimWords(colors: Colors): Formatter {
  return (text) => String(text).replace(/[a-z]{2,}/gi, colors.dim);
}

function titlePieces(status: RunStatus, colors: Colors): Piece[] {
  const { title, phase, experiments } = status;
  const pieces = [{ rank: 0, text: printable(title), paint: colors.bold }];
  if (experiments !== 1) pieces.push({ rank: 2, text: experimentText(status), paint: dimWords(colors) });
  // Searching is what it does nearly always.
  pieces.push({ rank: phase === 'search' ? 3 : 1, text: PHASES[phase], paint: colors.cyan });
  return pieces;
}

function progressPieces({ progress, elapsedSeconds, secondsLeft }: RunStatus, colors: Colors): Piece[] {
  const paint = dimWords(colors);
  const pieces: Piece[] = [];
  if (progress !== undefined) {
    const part = Math.max(0, Math.min(1, progress));
    const paintBar: Formatter = (text) => colors.cyan(String(text).replace(/─+/, colors.dim));
    pieces.push({ rank: 0, text: bar(part), paint: paintBar });
    // Done is done: what rounds to 100% is not.
    pieces.push({ rank: 3, text: `${Math.floor(100 * part)}%`.padStart(4), paint });
  }
  pieces.push({ rank: 2, text: `${duration(elapsedSeconds)} elapsed`, paint });
  // Before anything has been measured, the time left is infinite.
  if (secondsLeft !== undefined && Number.isFinite(secondsLeft)) {
    pieces.push({ rank: 1, text: `${duration(secondsLeft)} left`, paint });
  }
  return pieces;
}

function ratePieces(status: RunStatus, colors: Colors): Piece[] {
  const { algorithms, algorithmsPerSecond, trainSteps, stepsPerSecond } = status;
  const paint = dimWords(colors);
  return [
    { rank: 0, text: count(algorithms, 'algorithm'), paint },
    { rank: 1, text: `${amount(algorithmsPerSecond)}/s`, paint },
    { rank: 2, text: `${amount(trainSteps)} training steps`, paint },
    { rank: 3, text: `${amount(stepsPerSecond)}/s`, paint },
  ];
}

/** What became of the algorithms. */
function fatePieces(status: RunStatus, colors: Colors): Piece[] {
  const { algorithms, canonicalHits, fingerprintHits, evaluated, cut, overBudget, hurdle } = status;
  const paint = dimWords(colors);
  const share = (rank: number, what: string, n: number): Piece => {
    return { rank, text: `${what} ${percentText(n / Math.max(1, algorithms))}`, paint };
  };
  const pieces = [share(4, 'canonical hits', canonicalHits)];
  if (status.hasFingerprint) pieces.push(share(1, 'fingerprint hits', fingerprintHits));
  pieces.push(share(0, 'evaluated', evaluated));
  if (status.hasHurdles) pieces.push(share(2, 'cut', cut));
  if (status.hasHurdles && hurdle !== undefined) pieces.push({ rank: 3, text: `hurdle ${fitness(hurdle)}`, paint });
  if (overBudget > 0) pieces.push(share(5, 'over budget', overBudget));
  return pieces;
}

const WIDEST_SPARKLINE = 40;

function fitnessPieces(status: RunStatus, columns: number, colors: Colors): Piece[] {
  const { bestFitness, bestHistory, selectFitness, target } = status;
  const paint = dimWords(colors);
  const best = bestFitness === undefined ? 'none yet' : fitness(bestFitness);
  const pieces: Piece[] = [{ rank: 0, text: `best ${best}`, paint: (text) => colors.bold(paint(text)) }];
  const history = sparkline(bestHistory, Math.min(WIDEST_SPARKLINE, Math.floor(columns / 4)));
  if (history !== '') pieces.push({ rank: 2, text: history, paint: colors.cyan });
  const selected = selectedText(status) ?? (target === undefined ? undefined : `target ${fitness(target)}`);
  const isReached = selectFitness !== undefined && target !== undefined && selectFitness >= target;
  if (selected !== undefined) pieces.push({ rank: 1, text: selected, paint: isReached ? colors.green : paint });
  return pieces;
}

function originPieces({ programAge, mutation, parentFitness }: RunStatus, colors: Colors): Piece[] {
  const paint = dimWords(colors);
  const pieces: Piece[] = [
    { rank: 1, text: 'program', paint: colors.bold },
    { rank: 0, text: `found ${count(programAge, 'algorithm')} ago`, paint },
  ];
  if (mutation !== undefined)
    pieces.push({ rank: 2, text: `by ${mutation}`, paint: (text) => String(text).replace(/^by/, colors.dim) });
  if (parentFitness !== undefined) pieces.push({ rank: 3, text: `parent ${fitness(parentFitness)}`, paint });
  return pieces;
}

function keyPieces({ directory }: RunStatus, colors: Colors): Piece[] {
  const pieces = [{ rank: 0, text: 'q stops and keeps everything; Ctrl-C too', paint: colors.dim }];
  if (directory !== undefined) pieces.push({ rank: 1, text: printable(directory), paint: colors.dim });
  return pieces;
}

/** As much of the program as there are rows for. The empty lines between functions go first. */
function programLines(all: readonly string[], { columns, rows }: TerminalSize, colors: Colors): string[] {
  const lines = all.length <= rows ? all : all.filter((line) => line !== '');
  const draw = (line: string) => colorProgram(shortenTo(line, columns), colors);
  if (lines.length <= rows) return lines.map(draw);
  if (rows <= 0) return [];
  const rest = `… ${count(lines.length - (rows - 1), 'more line')}`;
  return [...lines.slice(0, rows - 1).map(draw), colors.dim(shortenTo(rest, columns))];
}

// --- The view ----------------------------------------------------------------------------------------------------------

/** The lines that are there whatever the search has found, the title first and the keys last. */
function frameLines(status: RunStatus, columns: number, colors: Colors) {
  const line = (rank: number, pieces: readonly Piece[]) => ({ rank, text: layOut(pieces, columns) });
  return [
    line(0, titlePieces(status, colors)),
    line(2, progressPieces(status, colors)),
    line(3, ratePieces(status, colors)),
    line(5, fatePieces(status, colors)),
    line(1, fitnessPieces(status, columns, colors)),
    line(4, keyPieces(status, colors)),
  ];
}

/** The live view, in at most `rows - 1` lines: the cursor needs one. What matters least is left out first. */
export function renderRun(status: RunStatus, { columns, rows }: TerminalSize, colors: Colors): string {
  const frame = frameLines(status, columns, colors);
  const room = rows - 1;
  const left = room - frame.length;
  const [title, ...others] = frame.filter(({ rank }) => rank < room).map(({ text }) => text);
  if (title === undefined || left <= 0) return [title, ...others].join('\n');
  const keys = others.pop()!;
  const code = status.program?.trimEnd().split('\n') ?? [];
  // Two empty lines, what the search is about and where the program comes from.
  const isRoomy = left >= code.length + 4;
  const space = isRoomy ? [''] : [];
  const about = isRoomy ? [colors.dim(shortenTo(printable(status.about), columns))] : [];
  const origin = code.length === 0 ? [] : [...space, layOut(originPieces(status, colors), columns)];
  const program = programLines(code, { columns, rows: isRoomy ? code.length : left - 1 }, colors);
  return [title, ...about, ...others, ...origin, ...program, ...space, keys].join('\n');
}
