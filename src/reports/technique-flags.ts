// Where techniques came into the line of a program, as flags above the plot of its fitness (paper, figure 6), and as a list for
// those who do not see them. Must not know how techniques are recognized.
import { TECHNIQUES, type Technique, type TechniqueName } from '../analysis/explain/explanation.js';
import type { LineageStep } from '../analysis/lineage-steps.js';
import { html, type Markup } from '../pages/markup.js';
import type { Point } from '../pages/progress-lines.js';
import { coordinate, type Overlay, type Place, WIDTH } from '../pages/progress-plot.js';
import { fitnessText } from '../util/number-text.js';

/** A step that brought techniques. */
export interface Flag {
  /** From 1 on, as the plot and the list show it. */
  readonly number: number;
  readonly id: number;
  readonly fitness: number;
  readonly techniques: readonly Technique[];
  /** Those of them that the program no longer has. */
  readonly lost: ReadonlySet<TechniqueName>;
}

/** Of each technique, the step that brought it for good; of those that were lost again, the first. */
export function findFlags(steps: readonly LineageStep[]): Flag[] {
  const kept = new Map<TechniqueName, number>();
  const first = new Map<TechniqueName, number>();
  for (const [k, { appeared, disappeared }] of steps.entries()) {
    for (const { name } of disappeared) kept.delete(name);
    for (const { name } of appeared) {
      kept.set(name, k);
      if (!first.has(name)) first.set(name, k);
    }
  }
  const stepOf = (name: TechniqueName) => kept.get(name) ?? first.get(name);
  const flagged = steps.flatMap(({ id, fitness, appeared }, k) => {
    const techniques = appeared.filter(({ name }) => stepOf(name) === k);
    if (techniques.length === 0) return [];
    const lost = new Set(techniques.map(({ name }) => name).filter((name) => !kept.has(name)));
    return [{ id, fitness, techniques, lost }];
  });
  return flagged.map((flag, k) => ({ number: k + 1, ...flag }));
}

// --- Above the plot ----------------------------------------------------------------------------------------------------

const ROW = 17;
/** Of a letter, at the size that labels have on a screen of middle width. */
const LETTER = 6.3;
const GAP = 10;

/** The first so many techniques in words, those that were lost last. */
function wordsOf({ techniques, lost }: Flag, most: number): string {
  const namesOf = (isLost: boolean) =>
    techniques.filter(({ name }) => lost.has(name) === isLost).map(({ name }) => TECHNIQUES[name]);
  const [stayed, went] = [namesOf(false), namesOf(true)];
  const names = [...stayed, ...went.map((name, k) => (k === went.length - 1 ? `${name} (lost again)` : name))];
  const left = names.length - most;
  return left <= 0 ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${left} more`;
}

function widthOf(words: string): number {
  return LETTER * (words.length + 3) + GAP;
}

/** As many words as there is room for, but at least the first technique. */
function fitWords(flag: Flag, room: number): string {
  let most = flag.techniques.length;
  while (most > 1 && widthOf(wordsOf(flag, most)) > room) most--;
  return wordsOf(flag, most);
}

interface PlacedFlag {
  readonly flag: Flag;
  readonly words: string;
  readonly at: Place;
  readonly row: number;
  /** The text ends at the pole rather than beginning there. */
  readonly isLeft: boolean;
}

type Span = readonly [from: number, to: number];

function spanOf({ words, at: { x }, isLeft }: Omit<PlacedFlag, 'row'>): Span {
  const width = widthOf(words);
  return isLeft ? [x - width, x + GAP] : [x - GAP, x + width];
}

/** Each in the lowest row where it overlaps no other. */
function placeFlags(flags: readonly Flag[], at: (point: Point) => Place): PlacedFlag[] {
  const placed = flags.map((flag) => {
    const place = at({ algorithms: flag.id + 1, fitness: flag.fitness });
    const [left, right] = [place.x, WIDTH - place.x];
    const isLeft = left > right && widthOf(wordsOf(flag, flag.techniques.length)) > right;
    return { flag, words: fitWords(flag, isLeft ? left : right), at: place, isLeft };
  });
  // Poles pass rows below their own: texts that go left come from left to right, the others from right to left, so that a pole
  // passes none of its kind.
  const left = placed.filter(({ isLeft }) => isLeft);
  const right = placed.filter(({ isLeft }) => !isLeft);
  const rows: Span[][] = [];
  return [...left, ...right.reverse()].map((flag) => {
    const [from, to] = spanOf(flag);
    const isFree = (spans: readonly Span[]) => spans.every((span) => span[1] <= from || to <= span[0]);
    const free = rows.findIndex(isFree);
    const row = free < 0 ? rows.length : free;
    rows[row] = [...(rows[row] ?? []), [from, to]];
    return { ...flag, row };
  });
}

/** Flags on poles that stand on the steps. */
export function drawFlags(flags: readonly Flag[], at: (point: Point) => Place): Overlay {
  const placed = placeFlags(flags, at);
  const rows = placed.reduce((most, { row }) => Math.max(most, row + 1), 0);
  const heightOf = (row: number) => -row * ROW - 4;
  const kindOf = ({ lost, techniques }: Flag) => (lost.size === techniques.length ? 'flag lost' : 'flag');
  const poles = placed.map(({ flag, at: { x, y }, row }) => {
    const [cx, cy] = [coordinate(x), coordinate(y)];
    return html`<g class="${kindOf(flag)}"><path d="M${cx} ${cy}V${heightOf(row) - 9}"/><circle cx="${cx}" cy="${cy}"/></g>\n`;
  });
  // Over all poles.
  const texts = placed.map(({ flag, words, at: { x }, row, isLeft }) => {
    const kind = `${kindOf(flag)}${isLeft ? ' left' : ''}`;
    const place = coordinate(isLeft ? x - 5 : x + 5);
    return html`<text class="${kind}" x="${place}" y="${heightOf(row)}"><tspan class="number">${flag.number}</tspan><tspan class="words"> ${words}</tspan></text>\n`;
  });
  return { room: rows === 0 ? 0 : rows * ROW + 2, markup: html`${poles}${texts}` };
}

// --- Below it ----------------------------------------------------------------------------------------------------------

function renderItem({ id, fitness, techniques, lost }: Flag): Markup {
  const words = techniques.map(
    ({ name, why }) => html`<b>${TECHNIQUES[name]}</b>${lost.has(name) ? ' (lost again)' : ''}: ${why} `,
  );
  return html`<li>${words}<small>algorithm ${(id + 1).toLocaleString('en-US')}, fitness ${fitnessText(fitness)}</small></li>\n`;
}

export function renderFlagList(flags: readonly Flag[]): Markup | undefined {
  return flags.length === 0 ? undefined : html`<ol class="flags">\n${flags.map(renderItem)}</ol>`;
}
