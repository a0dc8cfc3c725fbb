// A table that can be sorted by its columns and filtered by words. Must not know what its rows are.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { compareCells, matchesWords, type SortKey } from './sort-rows.js';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** What rows are sorted by; a column without it cannot be. */
  readonly sortBy?: (row: Row) => SortKey;
  /** Figures stand at the right, in digits of one width. */
  readonly isFigure?: boolean;
  /** Names the row, for readers of the screen. */
  readonly isHead?: boolean;
  /** A class that narrow screens may hide. */
  readonly place?: string;
}

export interface Sorting {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly sorting?: Sorting;
  /** The text of a row that words are looked for in; without it there is no filter. */
  readonly textOf?: (row: Row) => string;
  /** Beside the filter. */
  readonly tools?: ComponentChildren;
  /** Instead of rows, if there are none. */
  readonly empty?: ComponentChildren;
}

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | undefined,
): readonly Row[] {
  const sortBy = columns.find(({ id }) => id === sorting?.column)?.sortBy;
  if (sortBy === undefined || sorting === undefined) return rows;
  const keys = new Map(rows.map((row) => [row, sortBy(row)]));
  return rows.toSorted((a, b) => compareCells(keys.get(a)!, keys.get(b)!, sorting.direction));
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, textOf, tools, empty } = props;
  const [sorting, setSorting] = useState(props.sorting);
  const [words, setWords] = useState('');
  const found = textOf === undefined ? rows : rows.filter((row) => matchesWords(textOf(row), words));
  const shown = sortRows(found, columns, sorting);
  const toggle = (column: Column<Row>) => {
    const isSame = sorting?.column === column.id;
    // Of figures, people look for the largest first.
    const first = column.isFigure ? 'descending' : 'ascending';
    const other = sorting?.direction === 'ascending' ? 'descending' : 'ascending';
    setSorting({ column: column.id, direction: isSame ? other : first });
  };
  return (
    <div class="data-table">
      {(textOf !== undefined || tools !== undefined) && (
        <div class="table-tools">
          {textOf !== undefined && (
            <label class="filter">
              <span class="unseen">Filter {caption}</span>
              <input
                type="search"
                placeholder="Filter"
                value={words}
                onInput={(event) => setWords(event.currentTarget.value)}
              />
            </label>
          )}
          {tools}
          {found.length < rows.length && (
            <span class="soft" aria-live="polite">
              {found.length} of {rows.length}
            </span>
          )}
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="wide" tabIndex={0} aria-label={caption}>
        <table>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column.id}
                  scope="col"
                  class={`${column.isFigure ? 'figure' : ''} ${column.place ?? ''}`}
                  aria-sort={sorting?.column === column.id ? sorting.direction : undefined}
                >
                  {column.sortBy === undefined ? (
                    column.title
                  ) : (
                    <button type="button" onClick={() => toggle(column)}>
                      {column.title}
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map(({ id, cell, isFigure, isHead, place = '' }) =>
                  isHead ? (
                    <th key={id} scope="row" class={place}>
                      {cell(row)}
                    </th>
                  ) : (
                    <td key={id} class={`${isFigure ? 'figure' : ''} ${place}`}>
                      {cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length === 0 && (
          <p class="empty">{rows.length === 0 ? (empty ?? 'Nothing yet.') : 'Nothing matches.'}</p>
        )}
      </section>
    </div>
  );
}
