// A table of findings as the text of a CSV file (RFC 4180, with the line ends of the other CSV files here). Numbers are whole, as
// they were measured. Must not know where files go.
import Papa from 'papaparse';
import type { Table } from './findings.js';

/** The header and a line for each row; what is unknown is empty. */
export function tableToCsv({ columns, rows }: Table): string {
  // The only cell of a row is quoted, or an empty one would be an empty line, which readers skip.
  const quotes = columns.length === 1;
  const cells = rows.map((row) => row.map((cell) => cell ?? ''));
  return `${Papa.unparse([[...columns], ...cells], { newline: '\n', quotes })}\n`;
}
