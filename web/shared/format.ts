// How the pages write numbers and times, beside what src/util/number-text.ts has.
import { fitnessText } from '../../src/util/number-text.js';

export { count, durationText, fitnessText, gainText, percentText } from '../../src/util/number-text.js';

const UNITS = ['', 'k', 'M', 'G', 'T'];

/** With three digits at most: `7`, `940`, `12.3k`, `1.05M`. */
export function shortNumber(n: number): string {
  if (!Number.isFinite(n)) return String(n);
  if (Math.abs(n) < 1000) return Number.isInteger(n) ? String(n) : String(Number(n.toPrecision(3)));
  // Rounding may carry into the next unit: 999,999 is 1M.
  const rounded = Number(n.toPrecision(3));
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.abs(rounded)) / 3));
  return `${String(Number((rounded / 1000 ** unit).toPrecision(3)))}${UNITS[unit]}`;
}

export function wholeNumber(n: number): string {
  return n.toLocaleString('en-US');
}

/** A fitness in few letters: `0.999977`; what is nearer to 1 by its distance from it, `1 − 2e-9`. */
export function shortFitness(value: number): string {
  const distance = 1 - value;
  return distance > 0 && distance < 1e-6 ? `1 − ${Number(distance.toPrecision(1))}` : fitnessText(value);
}

/** How long ago something was: `now`, `5 min ago`, `3 h ago`, then the date. Both in milliseconds. */
export function agoText(time: number, now: number): string {
  const seconds = (now - time) / 1000;
  if (seconds < 45) return 'now';
  if (seconds < 45 * 60) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 22 * 3600) return `${Math.max(1, Math.round(seconds / 3600))} h ago`;
  return new Date(time).toISOString().slice(0, 10);
}

/** `16 Nov 2026, 20:04:11`, where the reader is. */
export function timeText(time: number): string {
  return new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}
