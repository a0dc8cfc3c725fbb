// `evozero motifs`: code that recurs in independent runs, how often against a control, and how often a given section does (paper,
// supplement "Interpreting Algorithms", b).
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { explain } from '../analysis/explain/explain.js';
import { type Explanation, TECHNIQUES, type TechniqueName } from '../analysis/explain/explanation.js';
import { fisherGreater } from '../analysis/fisher.js';
import { type DataFlow, followProgram } from '../analysis/motifs/data-flow.js';
import { findMotifs } from '../analysis/motifs/find-motifs.js';
import { nameTechniques } from '../analysis/motifs/name-techniques.js';
import { printSection } from '../analysis/motifs/print-motif.js';
import { type RankedMotif, rankMotifs } from '../analysis/motifs/rank-motifs.js';
import { locateSnippet, readSnippet } from '../analysis/motifs/snippet.js';
import { describeSystemError } from '../data/system-error.js';
import { ProgramTextError } from '../program/lexer.js';
import { printable } from '../util/quote.js';
import { UserError } from './errors.js';
import { integer } from './options.js';
import { colors, count, print, printJson } from './output.js';
import { colorProgram } from './program-colors.js';
import { type GivenRun, loadRuns, RUNS_HELP } from './runs-argument.js';

interface MotifsOptions {
  readonly control?: readonly string[];
  readonly snippet?: string;
  readonly minSize: number;
  readonly maxSize: number;
  readonly minRuns: number;
  readonly top?: number;
  readonly json?: true;
}

/** Larger ones have so many overlapping parts that nobody reads them. */
const MAX_SIZE = 8;
const SHOWN = 10;
/** Sections of one size in one program: less than a second each. */
const MAX_SECTIONS = 20_000;

/** Runs with the flow of data in their programs. */
interface Group {
  readonly runs: readonly GivenRun[];
  readonly flows: readonly (DataFlow | undefined)[];
}

function loadGroup(paths: readonly string[]): Group {
  const runs = loadRuns(paths);
  return { runs, flows: runs.map(({ source }) => source && followProgram(source.program, source.labels)) };
}

// --- What is said of groups --------------------------------------------------------------------------------------------

function describeGroup(title: string, { runs }: Group): void {
  const without = runs.filter(({ source }) => source === undefined).map(({ name }) => printable(name));
  const nothing = without.length === 0 ? '' : `; found nothing, and count as without: ${without.join(', ')}`;
  print(`${title}${count(runs.length, 'run')}${nothing}`);
}

function describeGroups(group: Group, control: Group): void {
  describeGroup('', group);
  if (control.runs.length > 0) describeGroup('control: ', control);
}

function namesOf({ runs }: Group, numbers: readonly number[]): string[] {
  return numbers.map((k) => runs[k]!.name);
}

function groupJson({ runs }: Group) {
  return runs.map(({ name, source }) => ({ name, found: source !== undefined }));
}

/** Two digits are as many as such a number deserves. */
function shortNumber(p: number): string {
  return String(Number(p.toPrecision(2)));
}

interface Occurrences {
  readonly programs: readonly number[];
  readonly controls: readonly number[];
  readonly p: number | null;
  /** Only where several things were tested. */
  readonly corrected?: number | null;
}

/** `in 8 of 30 runs, control 0 of 30, p = 0.0023 (corrected 0.1)` */
function describeOccurrences({ programs, controls, p, corrected }: Occurrences, group: Group, control: Group): string {
  const found = `in ${programs.length} of ${count(group.runs.length, 'run')}`;
  if (p === null) return found;
  const also = corrected === undefined || corrected === null ? '' : ` (corrected ${shortNumber(corrected)})`;
  return `${found}, control ${controls.length} of ${control.runs.length}, p = ${shortNumber(p)}${also}`;
}

// --- A given section ---------------------------------------------------------------------------------------------------

function loadSnippet(path: string): { snippet: DataFlow; text: string } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError(`${printable(path)}: ${describeSystemError(error)}`);
  }
  let snippet: DataFlow;
  try {
    snippet = readSnippet(text);
  } catch (error) {
    throw error instanceof ProgramTextError ? new UserError(error.report(printable(path), '')) : error;
  }
  if (snippet.nodes.length === 0) throw new UserError(`${printable(path)}: a section without instructions`);
  return { snippet, text };
}

function countSnippet(path: string, group: Group, control: Group, json: boolean): void {
  const { snippet, text } = loadSnippet(path);
  const find = ({ flows }: Group) =>
    flows.flatMap((flow, k) => (flow !== undefined && locateSnippet(snippet, flow) !== undefined ? [k] : []));
  const [programs, controls] = [find(group), find(control)];
  const shares = [
    { with: programs.length, all: group.runs.length },
    { with: controls.length, all: control.runs.length },
  ] as const;
  const p = control.runs.length === 0 ? null : fisherGreater(...shares);
  if (json) {
    const counted = { runs: namesOf(group, programs), control: namesOf(control, controls), p };
    printJson({ runs: groupJson(group), control: groupJson(control), snippet: { name: path, text, ...counted } });
    return;
  }
  describeGroups(group, control);
  print(`${colors.bold(printable(path))}: ${describeOccurrences({ programs, controls, p }, group, control)}`);
  if (programs.length > 0) print(colors.dim(`  ${namesOf(group, programs).map(printable).join(', ')}`));
  if (controls.length > 0) print(colors.dim(`  control: ${namesOf(control, controls).map(printable).join(', ')}`));
}

// --- What recurs -------------------------------------------------------------------------------------------------------

/** Explains each program once, for what its run trains it for, and only those that are shown. */
function techniqueNamer({ runs, flows }: Group): (motif: RankedMotif) => TechniqueName[] {
  const known = new Map<number, Explanation>();
  return ({ example: { program, nodes } }) => {
    const { source, loss } = runs[program]!;
    const explanation = known.get(program) ?? explain(source!.program, source!.labels, loss);
    known.set(program, explanation);
    return nameTechniques(flows[program]!, nodes, explanation);
  };
}

function showMotifs(group: Group, control: Group, options: MotifsOptions): void {
  const { minSize, maxSize, minRuns, top = SHOWN } = options;
  const search = { programs: group.flows, controls: control.flows, minSize, maxSize, minPrograms: minRuns };
  const { motifs, cutSizes } = findMotifs({ ...search, maxSections: MAX_SECTIONS });
  const ranked = rankMotifs(motifs, group.runs.length, control.runs.length);
  const name = techniqueNamer(group);
  const textOf = ({ example: { program, nodes } }: RankedMotif) => printSection(group.flows[program]!, nodes);
  if (options.json) {
    const listed = ranked.slice(0, options.top).map((motif) => ({
      size: motif.size,
      runs: namesOf(group, motif.programs),
      control: namesOf(control, motif.controls),
      p: motif.p,
      corrected: motif.corrected,
      techniques: name(motif),
      snippet: textOf(motif),
      example: {
        run: group.runs[motif.example.program]!.name,
        places: motif.example.nodes.map((node) => group.flows[motif.example.program]!.nodes[node]!.place),
      },
      isOverlap: motif.isOverlap,
    }));
    const settings = { minSize, maxSize, minRuns, tested: motifs.length, cutSizes };
    printJson({ runs: groupJson(group), control: groupJson(control), ...settings, motifs: listed });
    return;
  }
  describeGroups(group, control);
  const sizes = minSize === maxSize ? `${minSize}` : `${minSize} to ${maxSize}`;
  print(`${count(motifs.length, 'motif')} of ${sizes} instructions in ${minRuns} runs or more`);
  if (cutSizes.length > 0) {
    print(
      `There are too many sections of ${cutSizes.join(', ')} instructions to look at all: counts may be too small.`,
    );
  }
  const distinct = ranked.filter(({ isOverlap }) => !isOverlap);
  for (const [k, motif] of distinct.slice(0, top).entries()) {
    const names = name(motif).map((technique) => TECHNIQUES[technique]);
    const known = names.length === 0 ? '' : `: ${names.join(', ')}`;
    print(`\n${colors.bold(`${k + 1}. ${describeOccurrences(motif, group, control)}`)}${known}`);
    print(
      colorProgram(
        textOf(motif)
          .trimEnd()
          .replace(/^(?=.)/gm, '   '),
        colors,
      ),
    );
  }
  const [more, overlaps] = [distinct.length - top, ranked.length - distinct.length];
  const left = [
    ...(more > 0 ? [`${count(more, 'more motif')} with a larger --top`] : []),
    ...(overlaps > 0 ? [`${overlaps} that overlap with one of the same runs with --json`] : []),
  ];
  if (left.length > 0) print(colors.dim(`\nNot shown: ${left.join(', ')}.`));
}

function checkOptions({ minSize, maxSize, minRuns, snippet }: MotifsOptions, runs: number): void {
  if (snippet !== undefined) return;
  if (minSize > maxSize) throw new UserError(`--min-size ${minSize} is larger than --max-size ${maxSize}`);
  if (runs < 2)
    throw new UserError('motifs recur in several runs, and only one is given; --snippet looks for one section');
  if (minRuns > runs) throw new UserError(`--min-runs ${minRuns}: there are only ${count(runs, 'run')}`);
}

function findInRuns(paths: readonly string[], options: MotifsOptions): void {
  const group = loadGroup(paths);
  const control = loadGroup(options.control ?? []);
  const shared = group.runs.find(({ name }) => control.runs.some((other) => other.name === name));
  if (shared !== undefined) throw new UserError(`${printable(shared.name)}: both a run and a control`);
  checkOptions(options, group.runs.length);
  if (options.snippet === undefined) showMotifs(group, control, options);
  else countSnippet(options.snippet, group, control, options.json === true);
}

export function addMotifs(cli: Command): void {
  cli
    .command('motifs')
    .description('find code that recurs in the best programs of independent runs, or count a given section in them')
    .argument('<RUN...>', RUNS_HELP)
    .option('--control <RUN...>', 'runs to compare with, such as those with more examples')
    .option('--snippet <FILE>', 'count this section, in the notation of programs, instead of finding motifs')
    .option('--min-size <N>', 'instructions of a motif, at least', integer(1, MAX_SIZE), 2)
    .option('--max-size <N>', 'instructions of a motif, at most', integer(1, MAX_SIZE), 6)
    .option('--min-runs <N>', 'runs that have it, at least', integer(1), 2)
    .option('--top <N>', `motifs to show (default: ${SHOWN}, with --json all)`, integer(1))
    .option('--json', 'print one JSON object')
    .action(findInRuns);
}
