// The drawing of a plot: points with intervals, lines and steps between axes, levels across, callouts beside points. Must not know
// which claims it is for.
import { html, type Markup } from '../../pages/markup.js';
import { coordinate, type Place, type Scale } from '../../pages/progress-plot.js';
import type { FigureLevel, FigurePoint, FigureSeries, PlotFigure } from '../findings.js';
import {
  type Area,
  axisLines,
  drawColumns,
  drawNothing,
  drawRows,
  drawSvg,
  drawText,
  type Layout,
  scaleAcross,
} from './figure-layout.js';
import { drawMarker, lineClass } from './figure-marks.js';
import { isDrawable, isWithin, makeScale, type Span, spanAxis } from './figure-scale.js';
import { writeNumbers } from './number-column.js';
import { type Box, boxOf, chooseSpot, LINE, nearestOf, spotsAround, textWidth, wrapText } from './place-labels.js';
import { thinLine, thinPoints } from './thin-points.js';

/** Marks and points of lines in all of a drawing, about. */
const MAX_POINTS = 6000;
/** Marks are small where there are more, */
const MANY_POINTS = 120;
/** and a cloud, whose points say nothing of their own. */
const CLOUD_POINTS = 400;
/** Lines of fewer points show each of them. */
const DOTTED_LINE = 30;
const MAX_LABELS = 24;
const Y_TICKS = 5;
/** Above everything, for labels that have none near their points. */
const LABEL_ROOM = { broad: 22, narrow: 38 };
/** Labels that are not as near as this to their points have a line to it. */
const NEAR = 12;
/** Texts keep this far from the edges. */
const EDGE = 3;
/** Between places along lines that texts avoid. */
const AVOIDED = 6;

interface PlacedPoint extends Place {
  readonly point: FigurePoint;
}

interface PlacedSeries {
  readonly series: FigureSeries;
  readonly k: number;
  readonly points: readonly PlacedPoint[];
}

interface Frame {
  readonly spans: { readonly x: Span; readonly y: Span };
  readonly x: Scale;
  readonly y: Scale;
  readonly area: Area;
  /** Where texts may be. */
  readonly bounds: Box;
  readonly labels: Markup;
}

// --- Axes --------------------------------------------------------------------------------------------------------------

function boundsOf({ left, right, top, bottom }: Area): Box {
  return { x: left + EDGE, y: top + EDGE, width: right - left - 2 * EDGE, height: bottom - top - 2 * EDGE };
}

/** With some room above for labels. */
function frameOf(figure: PlotFigure, { width, height }: Layout, room: number): Frame {
  const points = figure.series.flatMap(({ points }) => points);
  const spans = {
    x: spanAxis(
      figure.x,
      points.map(({ x }) => x),
    ),
    y: spanAxis(figure.y, [
      ...points.flatMap(({ y, low, high }) => [y, low, high]),
      ...(figure.levels ?? []).map(({ y }) => y),
    ]),
  };
  const below = axisLines(figure.x, width - 20);
  const above = axisLines(figure.y, width - 20);
  const rows = makeScale(spans.y, 0, 1, Y_TICKS).ticks;
  const left = rows.reduce((most, { label }) => Math.max(most, textWidth(label)), 0) + 14;
  const top = LINE * above.length + 12 + room;
  const bottom = height - LINE * below.length - 28;
  const right = width - 20;
  const x = scaleAcross((most) => makeScale(spans.x, left, right, most), right - left);
  const y = makeScale(spans.y, bottom, top, Y_TICKS);
  const labels = html`${above.length === 0 ? undefined : drawText('axis', above, 2, 10)}${below.length === 0 ? undefined : drawText('axis middle', below, (left + right) / 2, bottom + 34)}`;
  return {
    spans,
    x,
    y,
    area: { left, right, top, bottom },
    bounds: boundsOf({ left, right, top: top - room, bottom }),
    labels,
  };
}

function isLabelled({ label = '' }: FigurePoint): boolean {
  return label.trim() !== '';
}

/** Points that each series may have. */
export function shareOf({ series }: PlotFigure): number {
  return Math.max(50, Math.floor(MAX_POINTS / Math.max(1, series.length)));
}

/** Points that both axes show; for lines also those beyond, between which they pass. */
function placeSeries({ spans, x, y, area }: Frame, series: FigureSeries, k: number, share: number): PlacedSeries {
  const isLine = series.shape !== 'points';
  const shown = series.points.filter((point) =>
    isLine
      ? isDrawable(point.x, spans.x.isLog) && isDrawable(point.y, spans.y.isLog)
      : isWithin(point.x, spans.x) && isWithin(point.y, spans.y),
  );
  // Far beyond the edges, one place is as good as another.
  const hold = (at: number) => Math.max(-1e4, Math.min(1e4, at));
  const placed = shown.map((point) => ({ x: hold(x.at(point.x)), y: hold(y.at(point.y)), point }));
  const stays = ({ point }: PlacedPoint) => isLabelled(point);
  if (!isLine) return { series, k, points: thinPoints(placed, share, stays) };
  placed.sort((a, b) => a.point.x - b.point.x);
  const column = Math.max(1, (4 * (area.right - area.left)) / share);
  return { series, k, points: thinLine(placed, column, stays) };
}

// --- Points and lines --------------------------------------------------------------------------------------------------

function describePoint({ x, y, low, high, label }: FigurePoint, name: string, figure: PlotFigure): string {
  const [xText, yText] = [writeNumbers([x])[0], writeNumbers([y])[0]];
  const hasInterval = Number.isFinite(low) || Number.isFinite(high);
  const interval = hasInterval ? ` (${writeNumbers([low, high]).join(' to ')})` : '';
  const who = [name, label].filter((text) => text !== undefined && text !== '').join(', ');
  return `${who === '' ? '' : `${who}: `}${figure.y.label} ${yText}${interval} at ${figure.x.label} ${xText}`;
}

/** The ends of an interval in the drawing; what the axis has no place for ends at its edge. */
function intervalOf({ low, high, y }: FigurePoint, frame: Frame): [number, number] | undefined {
  if (!Number.isFinite(low) && !Number.isFinite(high)) return undefined;
  const { spans, area } = frame;
  const place = (value: number | undefined, edge: number) => {
    const end = Number.isFinite(value) ? value! : y;
    if (!isDrawable(end, spans.y.isLog)) return edge;
    return Math.max(area.top, Math.min(area.bottom, frame.y.at(end)));
  };
  return [place(low, area.bottom), place(high, area.top)];
}

function isSeen({ point }: PlacedPoint, { spans }: Frame): boolean {
  return isWithin(point.x, spans.x) && isWithin(point.y, spans.y);
}

/** A value stays until the next one. */
function cornersOf(points: readonly Place[]): Place[] {
  return points.flatMap((point, k) => (k === 0 ? [point] : [{ x: point.x, y: points[k - 1]!.y }, point]));
}

function pathOf(places: readonly Place[]): string {
  return places.map(({ x, y }, k) => `${k === 0 ? 'M' : 'L'}${coordinate(x)} ${coordinate(y)}`).join('');
}

/** What lies between the ends of the intervals along a line. */
function drawBand({ series, points }: PlacedSeries, frame: Frame): Markup | undefined {
  const ends = points.flatMap(({ x, point }) => {
    const interval = intervalOf(point, frame);
    return interval === undefined ? [] : [{ x, interval }];
  });
  if (ends.length < 2) return undefined;
  const edge = (side: 0 | 1) => {
    const places = ends.map(({ x, interval }) => ({ x, y: interval[side] }));
    return series.shape === 'steps' ? cornersOf(places) : places;
  };
  return html`<path class="band" d="${pathOf([...edge(0), ...edge(1).reverse()])}Z"/>\n`;
}

function drawLine(placed: PlacedSeries, frame: Frame): Markup {
  const { series, points } = placed;
  const { left, right, top, bottom } = frame.area;
  const places = series.shape === 'steps' ? cornersOf(points) : points;
  const box = [left - 2, top - 2, right - left + 4, bottom - top + 4].map(coordinate);
  const [x, y, width, height] = box;
  // A drawing in the drawing, as wide as the axes, cuts off what is beyond them.
  return html`<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${box.join(' ')}">${drawBand(placed, frame)}<path class="line" d="${pathOf(places)}"><title>${series.name}</title></path></svg>\n`;
}

function drawInterval({ x, point }: PlacedPoint, frame: Frame): Markup | undefined {
  const interval = intervalOf(point, frame);
  if (interval === undefined) return undefined;
  const [low, high] = interval.map(coordinate);
  const [from, to] = [coordinate(x - 3), coordinate(x + 3)];
  return html`<path class="error" d="M${coordinate(x)} ${low}V${high}M${from} ${low}H${to}M${from} ${high}H${to}"/>`;
}

/** One path for all marks that have no label. */
function drawCloud(points: readonly PlacedPoint[], name: string, frame: Frame): Markup {
  const intervals = points.flatMap(({ x, point }) => {
    const interval = intervalOf(point, frame);
    return interval === undefined ? [] : [`M${coordinate(x)} ${interval.map(coordinate).join('V')}`];
  });
  const errors = intervals.length === 0 ? undefined : html`<path class="error thin" d="${intervals.join('')}"/>`;
  const dots = points.map(({ x, y }) => `M${coordinate(x)} ${coordinate(y)}h0`).join('');
  return html`${errors}<path class="cloud" d="${dots}"><title>${name}</title></path>\n`;
}

function drawSeries(placed: PlacedSeries, figure: PlotFigure, frame: Frame): Markup {
  const { series, k, points } = placed;
  const isLine = series.shape !== 'points' && points.length > 1;
  const isCloud = !isLine && points.length > CLOUD_POINTS;
  const isDotted = !isCloud && !(isLine && points.length > DOTTED_LINE);
  const dotted = isDotted ? points : points.filter(({ point }) => isLabelled(point));
  const isSmall = isLine || points.length > MANY_POINTS;
  const marks = dotted
    .filter((one) => isSeen(one, frame))
    .map((placedPoint) => {
      const title = html`<title>${describePoint(placedPoint.point, series.name, figure)}</title>`;
      const interval = isLine ? undefined : drawInterval(placedPoint, frame);
      return html`<g>${title}${interval}${drawMarker(k, placedPoint, isSmall)}</g>\n`;
    });
  return html`<g class="${lineClass(k)}">${isLine ? drawLine(placed, frame) : isCloud ? drawCloud(points, series.name, frame) : undefined}${marks}</g>\n`;
}

// --- Texts among them --------------------------------------------------------------------------------------------------

/** Along a line, without its end. */
function placesBetween(from: Place, to: Place): Place[] {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const steps = Math.min(200, Math.max(1, Math.ceil(Math.hypot(dx, dy) / AVOIDED)));
  return Array.from({ length: steps }, (_, k) => ({ x: from.x + (k / steps) * dx, y: from.y + (k / steps) * dy }));
}

/** Places that texts should not cover. */
function marksOf({ series, points }: PlacedSeries, frame: Frame): Place[] {
  if (series.shape === 'points') {
    return points.flatMap(({ x, y, point }) => {
      const [low, high] = intervalOf(point, frame) ?? [y, y];
      return [{ x, y }, ...placesBetween({ x, y: high }, { x, y: low })];
    });
  }
  const places = series.shape === 'steps' ? cornersOf(points) : points;
  return places.flatMap(({ x, y }, k) => {
    const next = places[k + 1];
    if (next === undefined) return [{ x, y }];
    return placesBetween({ x, y }, next);
  });
}

/** One of those that lie near each other. */
function oneOfEach(places: readonly Place[]): Place[] {
  const near = (at: number) => Math.round(at / (AVOIDED / 2));
  return [...new Map(places.map((place) => [1e5 * near(place.x) + near(place.y), place])).values()];
}

/** The same of a level. */
function marksAlong({ y }: FigureLevel, frame: Frame): Place[] {
  const at = frame.y.at(y);
  return placesBetween({ x: frame.area.left, y: at }, { x: frame.area.right, y: at });
}

interface Texts {
  readonly markup: readonly Markup[];
  readonly taken: readonly Box[];
}

/** Names stand on or below their line, where they cover least. */
function drawLevels(levels: readonly FigureLevel[], frame: Frame, marks: readonly Place[]): Texts {
  const { area } = frame;
  const taken: Box[] = [];
  const markup = levels.map((level) => {
    const y = frame.y.at(level.y);
    const [lines, title] = [
      wrapText(level.name, 0.9 * (area.right - area.left), 1),
      `${level.name}: ${writeNumbers([level.y])[0]}`,
    ];
    const size = boxOf(lines);
    const range = area.right - area.left - 2 * EDGE - size.width;
    const spots = [1, 0, 0.5, 0.75, 0.25].flatMap((part, k) =>
      [y - LINE - 1, y + 2].map((top, side) => ({
        box: { x: area.left + EDGE + part * range, y: top, ...size },
        cost: k + side,
      })),
    );
    const others = levels.filter((other) => other !== level).flatMap((other) => marksAlong(other, frame));
    const box = chooseSpot(spots, frame.bounds, taken, [...marks, ...others]);
    if (box !== undefined) taken.push(box);
    const isRight = box !== undefined && box.x + box.width > area.right - 2 * EDGE;
    const kind = isRight ? 'level-name end' : 'level-name';
    const name =
      box === undefined ? undefined : drawText(kind, lines, isRight ? box.x + box.width : box.x, box.y + LINE / 2);
    return html`<g class="level"><title>${title}</title><path d="M${coordinate(area.left)} ${coordinate(y)}H${coordinate(area.right)}"/>${name}</g>\n`;
  });
  return { markup, taken };
}

interface Callouts {
  readonly markup: readonly Markup[];
  /** Labels that are far from their points, or have no room at all. */
  readonly strays: number;
}

function drawCallouts(
  all: readonly PlacedSeries[],
  frame: Frame,
  taken: readonly Box[],
  marks: readonly Place[],
): Callouts {
  const { area } = frame;
  const width = 0.45 * (area.right - area.left);
  const labelled = all.flatMap(({ points }) =>
    points.filter((placed) => isLabelled(placed.point) && isSeen(placed, frame)),
  );
  const boxes = [...taken];
  const avoided = [...marks];
  const poles: Markup[] = [];
  const texts = labelled.slice(0, MAX_LABELS).flatMap((mark) => {
    const lines = wrapText(mark.point.label!, width, 3);
    const box = chooseSpot(spotsAround(mark, boxOf(lines), boxes), frame.bounds, boxes, avoided);
    // A label without room is still said by the title of its point.
    if (box === undefined) return [];
    boxes.push(box);
    const end = nearestOf(box, mark);
    if (Math.hypot(end.x - mark.x, end.y - mark.y) > NEAR) {
      poles.push(html`<path class="pole" d="${pathOf([mark, end])}"/>\n`);
      avoided.push(...placesBetween(mark, end));
    }
    const [part, kind] =
      box.x >= mark.x ? [0, 'callout'] : box.x + box.width <= mark.x ? [1, 'callout end'] : [0.5, 'callout middle'];
    return [drawText(kind, lines, box.x + part * box.width, box.y + LINE / 2)];
  });
  return { markup: [...poles, ...texts], strays: poles.length + labelled.length - texts.length };
}

// --- The plot ----------------------------------------------------------------------------------------------------------

function describePlot(figure: PlotFigure, all: readonly PlacedSeries[]): string {
  const series = all.map(({ series: { name }, points }) => {
    if (points.length === 0) return `${name}: nothing to draw.`;
    const ys = points.map(({ point }) => point.y).sort((a, b) => a - b);
    const [first, last] = writeNumbers([ys[0], ys.at(-1)]);
    return `${name}: ${first === last ? first : `from ${first} to ${last}`}.`;
  });
  const levels = (figure.levels ?? []).map(({ name, y }) => `Level ${name}: ${writeNumbers([y])[0]}.`);
  const axes = `${axisLines(figure.y, Number.MAX_VALUE).join(' ')} over ${axisLines(figure.x, Number.MAX_VALUE).join(' ')}.`;
  return [axes, ...series, ...levels].join(' ');
}

function drawWithin(figure: PlotFigure, layout: Layout, frame: Frame): { svg: Markup; strays: number } {
  const share = shareOf(figure);
  const all = figure.series.map((series, k) => placeSeries(frame, series, k, share));
  const levels = (figure.levels ?? []).filter(({ y }) => isWithin(y, frame.spans.y));
  const hasTexts = levels.length > 0 || figure.series.some(({ points }) => points.some(isLabelled));
  const marks = hasTexts ? oneOfEach(all.flatMap((placed) => marksOf(placed, frame))) : [];
  const lines = levels.flatMap((level) => marksAlong(level, frame));
  const named = drawLevels(levels, frame, marks);
  const callouts = drawCallouts(all, frame, named.taken, [...marks, ...lines]);
  const nothing = all.every(({ points }) => points.length === 0) ? drawNothing(frame.area) : undefined;
  const content = html`${drawColumns(frame.x, frame.area)}${drawRows(frame.y, frame.area)}${frame.labels}
${all.map((placed) => drawSeries(placed, figure, frame))}${named.markup}${callouts.markup}${nothing}`;
  const about = { title: figure.title, description: describePlot(figure, all) };
  return { svg: drawSvg(layout, layout.height, about, content), strays: callouts.strays };
}

export function drawPlot(figure: PlotFigure, layout: Layout): Markup {
  const tight = drawWithin(figure, layout, frameOf(figure, layout, 0));
  if (tight.strays === 0) return tight.svg;
  const roomy = drawWithin(figure, layout, frameOf(figure, layout, LABEL_ROOM[layout.name]));
  return roomy.strays < tight.strays ? roomy.svg : tight.svg;
}
