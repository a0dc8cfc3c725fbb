// What one cell of a table says: nothing, a number, or a word. Must not know columns.

const MISSING = new Set(['', 'na', 'n/a', 'nan', 'null', 'none', '?', '-']);
const LONGEST_MISSING = 4;

const NOT_DECIMAL = /^0[xob]/i;

/** The text of a cell at a place of a row, without spaces around; empty if it says nothing. */
export function readCell(row: readonly string[], place: number): string {
  const text = (row[place] ?? '').trim();
  return text.length <= LONGEST_MISSING && MISSING.has(text.toLowerCase()) ? '' : text;
}

/** The number of a text that is one. Thousands separators, decimal commas, hexadecimals and infinities make it a word. */
export function readNumber(text: string): number | undefined {
  const number = Number(text);
  return Number.isFinite(number) && text !== '' && !NOT_DECIMAL.test(text) ? number : undefined;
}
