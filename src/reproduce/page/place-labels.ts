// Where texts go in a drawing, so that they overlap neither each other nor, if possible, what is drawn. Lengths are those of the
// drawing. Must not know what texts say.
import type { Place } from '../../pages/progress-plot.js';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A place for a text, the better the smaller its cost. */
export interface Spot {
  readonly box: Box;
  readonly cost: number;
}

/** The height of a line, at the size that the style sheet gives texts. */
export const LINE = 15;
/** Widths of letters at that size, in a font that is wide as such fonts go: by the first kind that a letter is of. */
const LETTERS: readonly (readonly [kind: RegExp, width: number])[] = [
  [/[ijl.,:;|'’!]/, 3.8],
  [/[\sftrI()[\]/-]/, 4.9],
  [/[mwMW%@…]/, 11.2],
  [/[\p{Lu}\d+=<>≈±×·−]/u, 8],
  [/[^\p{L}]|[a-z]/u, 7.3],
];
/** Of what the table lacks, such as Chinese. */
const WIDEST = 12;
/** Of a text, more than any drawing has room for. */
const MAX_LETTERS = 400;

/** For each mark that a text would cover. */
const COVERED = 5;
/** For each text that the line to a mark would cross. */
const CROSSED = 40;
const STEPS = [9, 16, 25, 36, 50, 70, 95, 125];

export function textWidth(text: string): number {
  const widths = [...text].map((letter) => LETTERS.find(([kind]) => kind.test(letter))?.[1] ?? WIDEST);
  return widths.reduce((a, b) => a + b, 0);
}

/** As many letters from the beginning as have room, but at least one. */
function fitLetters(text: string, width: number): string {
  const letters = [...text];
  let fitting = letters.length;
  while (fitting > 1 && textWidth(letters.slice(0, fitting).join('')) > width) fitting--;
  return letters.slice(0, fitting).join('');
}

/** Lines that are at most so wide; what does not fit the last line ends with dots. */
export function wrapText(text: string, width: number, most: number): string[] {
  const lines: string[] = [];
  let rest = text.trim().replace(/\s+/g, ' ').slice(0, MAX_LETTERS);
  while (textWidth(rest) > width && lines.length < most - 1) {
    const fitting = fitLetters(rest, width);
    const space = rest.startsWith(' ', fitting.length) ? fitting.length : fitting.lastIndexOf(' ');
    // Words that are too long break wherever the line ends.
    const end = space > 0 ? space : fitting.length;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  const last = textWidth(rest) <= width ? rest : `${fitLetters(rest, width - textWidth('…')).trimEnd()}…`;
  return [...lines, last];
}

export function boxOf(lines: readonly string[]): Pick<Box, 'width' | 'height'> {
  return { width: Math.max(...lines.map(textWidth)), height: LINE * lines.length };
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function isInside({ x, y, width, height }: Box, area: Box): boolean {
  return x >= area.x && y >= area.y && x + width <= area.x + area.width && y + height <= area.y + area.height;
}

function covers({ x, y, width, height }: Box, mark: Place): boolean {
  return mark.x > x - 2 && mark.x < x + width + 2 && mark.y > y - 2 && mark.y < y + height + 2;
}

/** The nearest place of a box. */
export function nearestOf({ x, y, width, height }: Box, to: Place): Place {
  return { x: Math.min(x + width, Math.max(x, to.x)), y: Math.min(y + height, Math.max(y, to.y)) };
}

/** The best of the spots that lie in the area and on no box that is taken; undefined if there is none. */
export function chooseSpot(
  spots: readonly Spot[],
  area: Box,
  taken: readonly Box[],
  marks: readonly Place[],
): Box | undefined {
  let best: Spot | undefined;
  for (const { box, cost } of spots) {
    if (best !== undefined && cost >= best.cost) continue;
    if (!isInside(box, area) || taken.some((other) => overlap(box, other))) continue;
    const total = cost + COVERED * marks.filter((mark) => covers(box, mark)).length;
    if (best === undefined || total < best.cost) best = { box, cost: total };
  }
  return best?.box;
}

function crosses(from: Place, to: Place, box: Box): boolean {
  return [0.2, 0.4, 0.6, 0.8].some((part) =>
    covers(box, { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) }),
  );
}

/** Spots around a mark for a text of that size: beside it at first, then farther and farther away. */
export function spotsAround(
  mark: Place,
  { width, height }: Pick<Box, 'width' | 'height'>,
  taken: readonly Box[],
): Spot[] {
  return STEPS.flatMap((distance) => {
    const slant = 0.75 * distance;
    const [middleX, middleY] = [mark.x - width / 2, mark.y - height / 2];
    const [above, below] = [mark.y - distance - height, mark.y + distance];
    const corners: readonly (readonly [x: number, y: number, cost: number])[] = [
      [mark.x + distance, middleY, 0],
      [middleX, above, 1],
      [mark.x + slant, mark.y - slant - height, 1],
      [mark.x - distance - width, middleY, 2],
      [mark.x - slant - width, mark.y - slant - height, 2],
      [mark.x + slant, mark.y + slant, 2],
      [mark.x - 10, above, 2],
      [mark.x + 10 - width, above, 2],
      [middleX, below, 3],
      [mark.x - slant - width, mark.y + slant, 3],
      [mark.x - 10, below, 3],
      [mark.x + 10 - width, below, 3],
    ];
    return corners.map(([x, y, preference]) => {
      const box = { x, y, width, height };
      const end = nearestOf(box, mark);
      const crossings = taken.filter((other) => crosses(mark, end, other)).length;
      return { box, cost: distance / 3 + preference + CROSSED * crossings };
    });
  });
}
