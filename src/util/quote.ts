// How a value that somebody else wrote is shown in a message: short, on one line, without control characters. Knows nothing
// of programs.

const SHOWN_LENGTH = 40;

export function shorten(text: string, length = SHOWN_LENGTH): string {
  return text.length <= length ? text : `${text.slice(0, length)}...`;
}

/** The text with every character that does not print replaced by one that does. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, '\uFFFD');
}

/** A value from JSON: strings in quotes, numbers as they are, and what else it is by its kind. */
export function quote(value: unknown): string {
  if (typeof value === 'string') return `"${shorten(printable(value))}"`;
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}
