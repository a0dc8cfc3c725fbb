// A table from the bytes of a CSV file that somebody gave to the page. Every mistake says where it is and what to do. Where cells end is
// Papa Parse's to know; what they mean is not known here. Must not know pages.
import Papa from 'papaparse';
import { DataError } from '../../../src/tasks/data-error.js';
import type { Table } from '../../../src/tasks/tabular/table.js';
import { printable, shorten } from '../../../src/util/quote.js';

const DELIMITERS = [',', ';', '\t', '|'];

/** A page has less memory than Node. */
export const MAX_BYTES = 20 * 2 ** 20;
const MAX_COLUMNS = 1000;
const MAX_ROWS = 200_000;

function decodeText(name: string, bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new DataError(`${name}: is UTF-16; save it as UTF-8`);
  }
  if (bytes.includes(0)) throw new DataError(`${name}: has NUL bytes, so it is not a text file; save it as CSV`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DataError(`${name}: is not UTF-8 text; save it as CSV in UTF-8`);
  }
}

function isBlank(cells: readonly string[]): boolean {
  return cells.length === 1 && cells[0]!.trim() === '';
}

function countLines(cells: readonly string[]): number {
  return 1 + cells.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);
}

/** The table in a file, whose first line names the columns. Blank lines are skipped. Throws DataError. */
export function readCsv(fileName: string, bytes: Uint8Array): Table {
  const name = shorten(printable(fileName));
  if (bytes.length > MAX_BYTES) {
    throw new DataError(`${name}: has more than ${MAX_BYTES / 2 ** 20} MB; take some of its rows, or use evozero fit`);
  }
  const text = decodeText(name, bytes).replace(/\r\n?/g, '\n');
  const guess = { delimitersToGuess: DELIMITERS, newline: '\n', preview: 1, skipEmptyLines: true } as const;
  const { delimiter } = Papa.parse(text.slice(0, 2 ** 15), guess).meta;
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: '\n' });
  const broken = new Set(errors.flatMap(({ type, row }) => (type === 'Quotes' && row !== undefined ? [row] : [])));
  let header: readonly string[] | undefined;
  const rows: (readonly string[])[] = [];
  const lines: number[] = [];
  let line = 1;
  for (const [k, cells] of data.entries()) {
    if (broken.has(k)) {
      throw new DataError(`${name}:${line}: a quote is not closed, or a quote within quotes is not doubled`);
    }
    const start = line;
    line += countLines(cells);
    if (isBlank(cells) && (header === undefined || header.length > 1 || k === data.length - 1)) continue;
    if (header === undefined) {
      header = cells;
      if (cells.length > MAX_COLUMNS) {
        throw new DataError(`${name}: has ${cells.length} columns, and a page takes at most ${MAX_COLUMNS}`);
      }
      continue;
    }
    if (cells.length !== header.length) {
      const have = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`;
      throw new DataError(`${name}:${start}: ${have}, the header has ${header.length}`);
    }
    rows.push(cells);
    lines.push(start);
  }
  if (header === undefined) throw new DataError(`${name}: is empty`);
  if (rows.length > MAX_ROWS) {
    throw new DataError(`${name}: has ${rows.length} rows, and a page takes at most ${MAX_ROWS}; use evozero fit`);
  }
  return { name, header, rows, lines, delimiter };
}
