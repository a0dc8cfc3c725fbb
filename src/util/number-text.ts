// How numbers are written for people, in reports and on a terminal.

/** A number of things, such as `1 task` or `1,000 tasks`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;
}

/** With six digits, or as many as tell it from 1. What is no finite number, files spell as a text. */
export function fitnessText(value: number | null): string {
  if (value === null) return 'none';
  if (!Number.isFinite(value)) return String(value);
  const digits = Math.ceil(-Math.log10(Math.abs(1 - value))) + 1;
  return value === 1 ? '1' : value.toFixed(Math.max(6, Math.min(17, digits)));
}

/** What a step gained: `+0.00023`, `+1.6e-7`. */
export function gainText(gain: number): string {
  return `${gain < 0 ? '−' : '+'}${String(Number(Math.abs(gain).toPrecision(2)))}`;
}

/** `41%`, `5.1%`, `<0.1%`; never 0% or 100% of what is not. */
export function percentText(part: number): string {
  if (part > 0 && part < 0.001) return '<0.1%';
  if (part < 1 && part > 0.999) return '>99.9%';
  return `${(100 * part).toFixed(part > 0 && (part < 0.1 || part >= 0.99) && part < 1 ? 1 : 0)}%`;
}

/** `2.5 s`, `3 min 20 s`, `2 h 5 min` */
export function durationText(seconds: number): string {
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 6000) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60).toLocaleString('en-US')} h ${minutes % 60} min`;
}
