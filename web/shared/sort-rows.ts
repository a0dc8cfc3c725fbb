// The order of rows in a table, and which of them match the words of a filter. Must not know tables.

/** Null for what is not known, which comes last in either direction. */
export type SortKey = number | string | null;

export function compareCells(a: SortKey, b: SortKey, direction: 'ascending' | 'descending'): number {
  const isMissing = (key: SortKey) => key === null || Number.isNaN(key);
  if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b));
  const order =
    typeof a === 'number' && typeof b === 'number'
      ? a - b
      : String(a).localeCompare(String(b), 'en', { numeric: true, sensitivity: 'base' });
  return direction === 'ascending' ? order : -order;
}

/** Whether the text has every word, in any order and case. */
export function matchesWords(text: string, words: string): boolean {
  const lower = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
