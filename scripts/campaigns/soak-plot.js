// Draws what a soak has seen: algorithms a second, memory and open files over time. Must not know how that was found.

const [WIDTH, HEIGHT, LEFT, GAP] = [720, 110, 70, 46];
/** Looks on either side that a rate is the mean of. */
const AROUND = 12;
/** Names of lines are at least so far apart. */
const NAME_HEIGHT = 14;
/** One panel: its title, the range of its numbers, and a line for each series. */
function panel(rows, title, series, index) {
  const top = 30 + index * (HEIGHT + GAP);
  const most = 1.1 * Math.max(...series.flatMap(({ of }) => rows.map(of)));
  const last = rows.at(-1).minutes;
  const at = (minutes, value) =>
    `${(LEFT + (minutes / last) * (WIDTH - LEFT - 110)).toFixed(1)} ${(top + HEIGHT - (value / most) * HEIGHT).toFixed(1)}`;
  let lastName = Number.NEGATIVE_INFINITY;
  const lines = series.map(({ name, of }, k) => {
    const path = rows.map((row, n) => `${n === 0 ? 'M' : 'L'}${at(row.minutes, of(row))}`).join('');
    const [x, y] = at(last, of(rows.at(-1))).split(' ');
    lastName = Math.max(Number(y), lastName + NAME_HEIGHT);
    return `<path class="line line-${k}" d="${path}"/><text class="name-${k}" x="${Number(x) + 6}" y="${lastName}">${name}</text>`;
  });
  const ticks = [0, most / 1.1].map(
    (value) =>
      `<text class="beside" x="${LEFT - 8}" y="${at(0, value).split(' ')[1]}">${Math.round(value).toLocaleString('en-US')}</text>`,
  );
  const axis = `<path class="axis" d="M${at(0, 0)}L${at(last, 0)}"/>`;
  return `<text class="head" x="${LEFT}" y="${top - 8}">${title}</text>${axis}${ticks.join('')}${lines.join('')}`;
}
/** The mean over some looks around each: what a search tells comes less often than looks. */
function smoothed(rows, of) {
  const values = rows.map(of);
  return values.map((_, k) => {
    const around = values.slice(Math.max(0, k - AROUND), k + AROUND + 1);
    return around.reduce((sum, value) => sum + value, 0) / around.length;
  });
}

/** The whole picture, as SVG. */
export function drawSoak(looks) {
  const rates = smoothed(looks, ({ rate }) => rate);
  const rows = looks.map((row, k) => ({ ...row, rate: rates[k] }));
  const style = `svg { --page: #fff; --text: #22262b; --soft: #5d6670; --a: #1d63b8; --b: #a8441a; --c: #1a7344; }
@media (prefers-color-scheme: dark) { svg { --page: #15181b; --text: #dfe3e7; --soft: #9aa4ae; --a: #6db0f7; --b: #ee9467; --c: #63c58c; } }
text { font: 12px system-ui, sans-serif; fill: var(--soft); dominant-baseline: central; } .head { font-weight: 600; fill: var(--text); }
.beside { text-anchor: end; } .axis { stroke: var(--soft); } .line { fill: none; stroke-width: 1.6; }
.line-0 { stroke: var(--a); } .line-1 { stroke: var(--b); } .line-2 { stroke: var(--c); } .name-0 { fill: var(--a); } .name-1 { fill: var(--b); } .name-2 { fill: var(--c); }`;
  const panels = [
    panel(rows, 'Algorithms a second', [{ name: 'search', of: ({ rate }) => rate }], 0),
    panel(
      rows,
      'Memory, MB',
      [
        { name: 'search', of: (row) => row.search },
        { name: 'dashboard', of: (row) => row.dashboard },
        { name: 'page', of: (row) => row.page },
      ],
      1,
    ),
    panel(
      rows,
      'Open files',
      [
        { name: 'search', of: ({ files }) => files },
        { name: 'dashboard', of: (row) => row.dashboardFiles },
      ],
      2,
    ),
  ];
  const height = 30 + 3 * (HEIGHT + GAP);
  const title = `<text x="${LEFT}" y="${height - 16}">${Math.round(rows.at(-1).minutes)} minutes of search on two islands, with the dashboard open</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Algorithms a second, memory and open files over time"><style>${style}</style><rect width="${WIDTH}" height="${height}" fill="var(--page)"/>${panels.join('')}${title}</svg>\n`;
}
