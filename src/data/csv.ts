// Reads a table from a CSV file, plain or gzipped, piece by piece. What cells mean is not known here, only where they end: the
// splitting is Papa Parse's, the checks that no row is misread are here.
import { statSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import Papa from 'papaparse';
import { DataError } from '../tasks/data-error.js';
import type { Table } from '../tasks/tabular/table.js';
import { printable } from '../util/quote.js';
import { fileBytes } from './file-bytes.js';

const DELIMITERS = [',', ';', '\t', '|'];

/** Of text, after unpacking. */
const MAX_BYTES = 2 ** 30;
const MAX_COLUMNS = 100_000;
/** A cell takes about 100 bytes of memory, and some must be left for what is done with it. */
const MAX_CELLS = Math.floor((0.6 * getHeapStatistics().heap_size_limit) / 100);
/** A longer row is the rest of the file after a quote that nobody closed. */
const MAX_ROW_LENGTH = 2 ** 24;
/** Characters from which the delimiter is guessed, and that are worth splitting. */
const PIECE_LENGTH = 2 ** 15;

/** What Papa Parse says of a piece of text. */
interface Parsed {
  readonly data: readonly string[][];
  readonly errors: readonly { readonly code: string; readonly row: number }[];
  readonly meta: { readonly cursor: number };
}

// --- Bytes and characters ----------------------------------------------------------------------------------------------

function tooMuch(name: string, maxBytes: number): DataError {
  return new DataError(`${name}: has more than ${maxBytes} bytes of text, which is too much`);
}

/** Whether a file begins with one of UTF-16's marks. */
function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** The text of a file. All line ends become \n, so that mixed ones do not hide rows; also those within cells. */
async function* readText(path: string, maxBytes: number): AsyncGenerator<string> {
  const name = printable(path);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new DataError(`${name}: is not UTF-8 text`);
    }
  };
  let total = 0;
  // The second half of a \r\n may be in the next piece.
  let held = '';
  for await (const bytes of fileBytes(path)) {
    total += bytes.length;
    if (total > maxBytes) throw tooMuch(name, maxBytes);
    if (total === bytes.length && isUtf16(bytes)) throw new DataError(`${name}: is UTF-16; save it as UTF-8`);
    if (bytes.includes(0)) throw new DataError(`${name}: has NUL bytes, so it is not a text file`);
    const text = held + decode(bytes);
    held = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - held.length).replace(/\r\n?/g, '\n');
  }
  yield decode() + held.replace('\r', '\n');
}

// --- Rows --------------------------------------------------------------------------------------------------------------

function guessDelimiter(sample: string): string {
  const config = { delimitersToGuess: DELIMITERS, newline: '\n', preview: 1, skipEmptyLines: true } as const;
  return Papa.parse(sample, config).meta.delimiter;
}

function isBlank(cells: readonly string[]): boolean {
  return cells.length === 1 && cells[0]!.trim() === '';
}

function countLineEnds(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) for (let k = cell.indexOf('\n'); k !== -1; k = cell.indexOf('\n', k + 1)) count++;
  return count;
}

/**
 * Takes a file's text piece by piece and keeps its rows. Uses the parser within Papa Parse: what streams around it would hide which
 * errors are about rows that are only cut.
 */
class TableReader {
  private readonly name: string;
  private delimiter: string | undefined;
  private parser: InstanceType<typeof Papa.Parser> | undefined;
  private rest = '';
  /** The length of `rest` from which on it is worth splitting. */
  private enough = PIECE_LENGTH;
  private line = 1;
  private header: readonly string[] | undefined;
  private readonly rows: (readonly string[])[] = [];
  private readonly lines: number[] = [];

  constructor(name: string, delimiter: string | undefined) {
    this.name = name;
    this.delimiter = delimiter;
  }

  private fail(line: number, problem: string): never {
    throw new DataError(`${this.name}:${line}: ${problem}`);
  }

  push(text: string): void {
    this.rest += text;
    if (this.rest.length >= this.enough) this.parse(false);
  }

  /** Splits what has come so far; the last row stays unless nothing comes after it. */
  private parse(isLast: boolean): void {
    const text = this.rest;
    this.delimiter ??= guessDelimiter(text.slice(0, PIECE_LENGTH));
    this.parser ??= new Papa.Parser({ delimiter: this.delimiter, newline: '\n' });
    const { data, errors, meta }: Parsed = this.parser.parse(text, 0, !isLast);
    const hasQuotes = text.includes('"');
    // Errors may also be about the row that stays, of which the end is not known yet. The first of a row counts.
    const codes = new Map([...errors].reverse().map(({ row, code }) => [row, code]));
    for (const [k, cells] of data.entries()) {
      this.checkQuotes(codes.get(k));
      this.take(cells);
      this.line += 1 + (hasQuotes ? countLineEnds(cells) : 0);
    }
    this.keep(isLast ? '' : text.slice(meta.cursor));
  }

  private keep(rest: string): void {
    if (rest.length > MAX_ROW_LENGTH) {
      this.fail(this.line, `a row of more than ${MAX_ROW_LENGTH} characters; is a quote not closed?`);
    }
    this.rest = rest;
    // Twice as much next time: a long row is not split again at every piece.
    this.enough = Math.max(PIECE_LENGTH, Math.min(2 * rest.length, MAX_ROW_LENGTH + 1));
  }

  private checkQuotes(code: string | undefined): void {
    if (code === 'MissingQuotes') this.fail(this.line, 'a quote is not closed');
    if (code !== undefined) this.fail(this.line, 'a quote is not closed, or a quote within quotes is not doubled');
  }

  private take(cells: readonly string[]): void {
    const { header, line } = this;
    if (header === undefined) {
      if (isBlank(cells)) return;
      if (cells.length > MAX_COLUMNS) this.fail(line, `${cells.length} columns; at most ${MAX_COLUMNS} are taken`);
      this.header = cells;
      return;
    }
    // In a table of one column, a blank line is a missing cell.
    if (header.length > 1 && isBlank(cells)) return;
    if (cells.length !== header.length) {
      this.fail(line, `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, the header has ${header.length}`);
    }
    if ((this.rows.length + 1) * header.length > MAX_CELLS) {
      this.fail(line, `more than ${MAX_CELLS} cells, for which Node has not enough memory (--max-old-space-size)`);
    }
    this.rows.push(cells);
    this.lines.push(line);
  }

  finish(): Table {
    this.parse(true);
    const { name, header, rows, lines, delimiter } = this;
    if (header === undefined) throw new DataError(`${name}: is empty`);
    while (rows.length > 0 && isBlank(rows.at(-1)!)) {
      rows.pop();
      lines.pop();
    }
    return { name, header, rows, lines, ...(delimiter === undefined ? {} : { delimiter }) };
  }
}

/** 0 if it cannot be told: then reading will say why. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** How a file is read. */
export interface CsvOptions {
  /** Between cells; if not given it is found out: comma, semicolon, tab or bar. */
  readonly delimiter?: string | undefined;
  /** Of text, after unpacking. */
  readonly maxBytes?: number;
}

/** The table in a file, whose first line names the columns. Blank lines are skipped. Throws DataError. */
export async function readCsv(path: string, { delimiter, maxBytes = MAX_BYTES }: CsvOptions = {}): Promise<Table> {
  const name = printable(path);
  const reader = new TableReader(name, delimiter);
  // A gzipped file is hardly ever longer than its text.
  if (sizeOf(path) > maxBytes) throw tooMuch(name, maxBytes);
  for await (const text of readText(path, maxBytes)) reader.push(text);
  return reader.finish();
}
