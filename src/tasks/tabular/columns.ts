// Cells by column: as numbers, or as words that are numbered. Every cell is read once, row by row, as the rows lie in memory.
// Must not know what columns are for.
import { type MissingTexts, readCell, readNumber } from './cell.js';
import { notANumber, type Table } from './table.js';

interface ColumnRequest {
  readonly name: string;
  /** In a row. */
  readonly place: number;
  /** Also if all cells are numbers. */
  readonly asWords: boolean;
}

export interface NumberCells {
  readonly kind: 'number';
  /** Of each row; NaN if missing. */
  readonly numbers: Float64Array;
}

export interface WordCells {
  readonly kind: 'word';
  /** The different words. */
  readonly words: readonly string[];
  /** Of each row, the index of its word; -1 if missing. */
  readonly codes: Int32Array;
  /** The row of the table with the first cell that is no number; undefined if words were asked for. */
  readonly wordAt: number | undefined;
}

export type Cells = NumberCells | WordCells;

/** Numbers the words of a column. */
class WordReader {
  private readonly known = new Map<string, number>();
  readonly words: string[] = [];
  readonly codes: Int32Array;

  constructor(length: number) {
    this.codes = new Int32Array(length).fill(-1);
  }

  take(k: number, word: string): void {
    let code = this.known.get(word);
    if (code === undefined) {
      code = this.words.push(word) - 1;
      this.known.set(word, code);
    }
    this.codes[k] = code;
  }
}

/** Reads a column as numbers, until there is a word in it. */
class ColumnReader {
  private readonly table: Table;
  private readonly rows: readonly number[];
  private readonly place: number;
  private readonly missing: MissingTexts;
  private readonly numbers: Float64Array;
  private words: WordReader | undefined;
  private wordAt: number | undefined;

  constructor(table: Table, rows: readonly number[], { place, asWords }: ColumnRequest, missing: MissingTexts) {
    this.missing = missing;
    this.table = table;
    this.rows = rows;
    this.place = place;
    this.numbers = new Float64Array(asWords ? 0 : rows.length).fill(Number.NaN);
    if (asWords) this.words = new WordReader(rows.length);
  }

  /** Reads the cell of row `k` of those that are read. */
  read(k: number, row: readonly string[]): void {
    const text = readCell(row, this.place, this.missing);
    if (text === '') return;
    const number = this.words === undefined ? readNumber(text) : undefined;
    if (number !== undefined) {
      this.numbers[k] = number;
      return;
    }
    if (this.words === undefined) {
      this.words = this.readAgain(k);
      this.wordAt = this.rows[k]!;
    }
    this.words.take(k, text);
  }

  /** The words of the rows before `end`, which were taken for numbers. */
  private readAgain(end: number): WordReader {
    const words = new WordReader(this.rows.length);
    for (let k = 0; k < end; k++) {
      const text = readCell(this.table.rows[this.rows[k]!]!, this.place, this.missing);
      if (text !== '') words.take(k, text);
    }
    return words;
  }

  finish(): Cells {
    if (this.words === undefined) return { kind: 'number', numbers: this.numbers };
    const { words, codes } = this.words;
    return { kind: 'word', words, codes, wordAt: this.wordAt };
  }
}

/** The cells of some rows of a table, column by column as requested. */
export function readColumns(
  table: Table,
  rows: readonly number[],
  requests: readonly ColumnRequest[],
  missing: MissingTexts,
): Cells[] {
  const readers = requests.map((request) => new ColumnReader(table, rows, request, missing));
  for (const [k, row] of rows.entries()) for (const reader of readers) reader.read(k, table.rows[row]!);
  return readers.map((reader) => reader.finish());
}

/** Throws, naming the first word, unless a column has only numbers. */
export function checkNumbers(table: Table, { name, place }: ColumnRequest, cells: Cells): asserts cells is NumberCells {
  if (cells.kind === 'number') return;
  const row = cells.wordAt!;
  throw notANumber(table, row, name, table.rows[row]![place]!.trim());
}
