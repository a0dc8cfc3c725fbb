// The only script of a report, on pages about several runs: sorts their table, and opens the run that a link leads to. Without it the
// page says the same. Must not know what the columns are.

/** Cells may have a `data-key` to sort by; those with an empty one come last. */
export const SORT_SCRIPT = `
const table = document.querySelector('table.runs');
const body = table.tBodies[0];
const keyOf = (row, column) => row.cells[column].dataset.key ?? row.cells[column].textContent;
const compare = (a, b) => {
  const [x, y] = [Number(a), Number(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, 'en', { numeric: true }) : x - y;
};
const heads = [...table.tHead.rows[0].cells];
heads.forEach((head, column) => {
  const button = document.createElement('button');
  button.textContent = head.textContent;
  head.replaceChildren(button);
  button.addEventListener('click', () => {
    const sign = head.ariaSort === 'descending' ? 1 : head.ariaSort === 'ascending' ? -1 : head.className === 'figure' ? -1 : 1;
    for (const other of heads) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
    const rows = [...body.rows].sort((a, b) => {
      const [x, y] = [keyOf(a, column), keyOf(b, column)];
      return (x === '') - (y === '') || sign * compare(x, y);
    });
    body.append(...rows);
  });
});
const open = () => document.getElementById(location.hash.slice(1))?.closest('details')?.setAttribute('open', '');
addEventListener('hashchange', open);
open();
`;

/** As policies write it; a test computes it anew. */
export const SORT_SCRIPT_HASH = 'sha256-QqBAsz2SS49tX/mqxMT0+eEhL4ZHMzGLLfw6Yp5TDkI=';
