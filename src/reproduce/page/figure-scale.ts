// Axes of figures: which part of the numbers they show, where values lie on them, and round numbers to read them by. Linear and
// logarithmic. Must not know what is drawn.
import type { Scale } from '../../pages/progress-plot.js';
import type { Axis } from '../findings.js';

/** What an axis shows, from end to end. */
export interface Span {
  readonly low: number;
  readonly high: number;
  readonly isLog: boolean;
}

/** Part of the length that stays free at both ends. */
const PADDING = 0.06;
/** Beyond it, differences are no numbers any more. */
const LARGEST = 1e300;
/** Part of a value below which differences are rounding. */
const ROUNDING = 1e-12;
const FLAT_DECADES = 0.5;

/** Whether an axis has a place for a value. What is no number, JSON keeps as null. */
export function isDrawable(value: number | undefined, isLog: boolean): value is number {
  return Number.isFinite(value) && Math.abs(value!) <= LARGEST && (!isLog || value! > 1 / LARGEST);
}

/** On the scale of the axis, around a value that stands alone. */
function roomAround(value: number, isLog: boolean): number {
  return isLog ? FLAT_DECADES : Math.abs(value) / 10 || 0.5;
}

/** Both ends with some room, on the scale of the axis. */
function padEnds(least: number, most: number, isLog: boolean): [number, number] {
  const isFlat = most - least <= ROUNDING * Math.max(Math.abs(least), Math.abs(most));
  const room = isFlat ? roomAround(most, isLog) : PADDING * (most - least);
  const [low, high] = [least - room, most + room];
  if (isLog) return [low, high];
  // Zero is where values end that cannot be negative.
  return [least >= 0 ? Math.max(0, low) : low, most <= 0 && least < 0 ? Math.min(0, high) : high];
}

/** From the least to the greatest value, unless the axis says from where and to where. */
export function spanAxis(axis: Axis, values: readonly (number | undefined)[]): Span {
  const isLog = axis.log === true;
  const [forward, back] = isLog ? [Math.log10, (v: number) => 10 ** v] : [(v: number) => v, (v: number) => v];
  const drawable = values.filter((value) => isDrawable(value, isLog)).map(forward);
  const least = drawable.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = drawable.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const [low, high] = least <= most ? padEnds(least, most, isLog) : [0, 1];
  const from = isDrawable(axis.from, isLog) ? forward(axis.from) : undefined;
  const to = isDrawable(axis.to, isLog) ? forward(axis.to) : undefined;
  let [start, end] = [from ?? low, to ?? high];
  // An end that was asked for stays, even where nothing is on its side.
  if (start >= end) {
    if (to === undefined) end = start + roomAround(start, isLog);
    else if (from === undefined) start = end - roomAround(end, isLog);
    else [start, end] = [low, high];
  }
  return { low: back(start), high: back(end), isLog };
}

export function isWithin(value: number | undefined, { low, high, isLog }: Span): value is number {
  const room = isLog ? ROUNDING * high : ROUNDING * Math.max(Math.abs(low), Math.abs(high));
  return isDrawable(value, isLog) && value >= low - room && value <= high + room;
}

// --- Ticks -------------------------------------------------------------------------------------------------------------

const UNITS = ['', 'k', 'M', 'G', 'T'];
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** From here on, units stand for zeros. */
const MANY = 1e5;

function powerText(power: number): string {
  const digits = [...String(Math.abs(power))].map((digit) => SUPERSCRIPTS[Number(digit)]).join('');
  return `10${power < 0 ? '⁻' : ''}${digits}`;
}

/** `0.001`, `20`, `5k`, `2·10⁻⁷` */
function shortText(value: number): string {
  const power = Math.floor(Math.log10(value) + 1e-9);
  const factor = Number((value / 10 ** power).toPrecision(2));
  const unit = Math.floor(power / 3);
  if (power < -3 || unit >= UNITS.length) return `${factor === 1 ? '' : `${factor}·`}${powerText(power)}`;
  return power < 0 ? String(Number(value.toPrecision(2))) : `${factor * 10 ** (power - 3 * unit)}${UNITS[unit]}`;
}

/** The step among 1, 2 and 5 times a power of ten that gives at most about so many ticks. */
function roundStep(span: number, most: number): number {
  const power = 10 ** Math.floor(Math.log10(span / most));
  return power * ([1, 2, 5].find((factor) => factor * power >= span / most) ?? 10);
}

function linearTicks({ low, high }: Span, most: number): Scale['ticks'] {
  const step = roundStep(high - low, most);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  // Zero without a sign.
  const values = Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step + 0);
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const unit = largest < MANY ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(largest) / 3));
  const decimals = Math.max(0, -Math.floor(Math.log10(step / 1000 ** unit) + 1e-9));
  const isTiny = decimals > 5 && largest < 100 * step;
  const isHuge = largest >= 1000 ** UNITS.length;
  const label = (value: number) => {
    if (value === 0) return '0';
    if (isTiny || isHuge) return String(Number(value.toPrecision(3)));
    const digits = { minimumFractionDigits: Math.min(20, decimals), maximumFractionDigits: Math.min(20, decimals) };
    return `${(value / 1000 ** unit).toLocaleString('en-US', digits)}${UNITS[unit]}`;
  };
  return values.map((value) => ({ value, label: label(value).replace('-', '−') }));
}

function logTicks(span: Span, most: number): Scale['ticks'] {
  const [from, to] = [Math.log10(span.low), Math.log10(span.high)];
  const [first, last] = [Math.ceil(from - 1e-9), Math.floor(to + 1e-9)];
  const every = Math.max(1, Math.ceil((last - first + 1) / most));
  const powers = Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => first + k);
  const isFew = to - from < 2;
  const between = powers.length === 0 ? [Math.floor(from)] : [first - 1, ...powers];
  const values = isFew
    ? between.flatMap((power) => [1, 2, 5].map((factor) => factor * 10 ** power)).filter((v) => isWithin(v, span))
    : powers.filter((power) => power % every === 0).map((power) => 10 ** power);
  if (values.length < 2) return linearTicks(span, most).filter(({ value }) => value > 0);
  return values.map((value) => ({ value, label: shortText(value) }));
}

/** The span over the pixels from `start` to `end`, with at most about so many ticks. */
export function makeScale(span: Span, start: number, end: number, most: number): Scale {
  const forward = span.isLog ? Math.log10 : (value: number) => value;
  const [low, high] = [forward(span.low), forward(span.high)];
  const at = (value: number) => start + ((forward(value) - low) / (high - low)) * (end - start);
  return { at, ticks: span.isLog ? logTicks(span, most) : linearTicks(span, most) };
}
