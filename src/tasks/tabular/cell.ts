// What one cell of a table says: nothing, a number, or a word. Must not know columns.

/** What says nothing, besides an empty cell, unless told otherwise. Not `none`, which often says something. */
export const MISSING = ['NA', 'N/A', 'NaN', 'null', '?', '-'];

/** Texts that say nothing, in lower case: capitals do not matter. */
export type MissingTexts = ReadonlySet<string>;

export function missingTexts(texts: readonly string[]): MissingTexts {
  return new Set(texts.map((text) => text.trim().toLowerCase()));
}

const NOT_DECIMAL = /^0[xob]/i;

/** The text of a cell at a place of a row, without spaces around; empty if it says nothing. */
export function readCell(row: readonly string[], place: number, missing: MissingTexts): string {
  const text = (row[place] ?? '').trim();
  return missing.has(text.toLowerCase()) ? '' : text;
}

/** The number of a text that is one. Thousands separators, decimal commas, hexadecimals and infinities make it a word. */
export function readNumber(text: string): number | undefined {
  const number = Number(text);
  return Number.isFinite(number) && text !== '' && !NOT_DECIMAL.test(text) ? number : undefined;
}
