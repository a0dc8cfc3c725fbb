// The cells of a table as people read them, and which of its columns are figures. Must not know what the table is written in.
import type { Cell, Table } from '../findings.js';
import { writeNumbers } from './number-column.js';

export interface ReadableColumn {
  readonly name: string;
  /** Its cells are figures, which stand below each other at their right. */
  readonly isFigures: boolean;
  readonly texts: readonly string[];
}

/** `0.72 ± 0.01`, `12%`, `3/5`, `–`, and nothing at all. */
const FIGURES = /^[\d.,eE+±%×<>≈~/()\s–−-]*$/;

function isFigure(cell: Cell): boolean {
  return typeof cell !== 'string' || FIGURES.test(cell);
}

/** Column by column; rows may be shorter than the header. */
export function readColumns({ columns, rows }: Pick<Table, 'columns' | 'rows'>): ReadableColumn[] {
  return columns.map((name, k) => {
    const cells = rows.map((row) => row[k] ?? null);
    const numbers = writeNumbers(cells.map((cell) => (typeof cell === 'number' ? cell : null)));
    const texts = cells.map((cell, row) => (typeof cell === 'string' ? cell : numbers[row]!));
    const hasAny = cells.some((cell) => cell !== null && cell !== '');
    return { name, isFigures: hasAny && cells.every(isFigure), texts };
  });
}
