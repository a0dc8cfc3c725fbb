// `npm run picture [NAME...]`: the pictures of the README. Runs a search with a fixed seed and a fixed number of populations, so that every
// machine draws the same, and puts the plot of its report beside the program that it found. Light and dark in one file.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escapeHtml } from './site/highlight.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const PICTURES = {
  'first-search': {
    search: ['run', 'linear-evozero', '--seed', '14', '--workers', '1'],
    found: 'the linear regression by gradient descent that it has found',
  },
  // Minutes of two cores.
  invention: {
    search: ['run', 'invent-backprop'],
    found: 'the neural network with backpropagation that it has invented',
  },
};

const evozero = (...args) =>
  execFileSync(process.execPath, [join(root, 'bin/evozero.js'), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

// Rules of the report's style sheet for the plot, with colours that have enough contrast in both schemes.
const STYLE = `
svg { --page: #ffffff; --grid: #ececea; --text: #22262b; --soft: #5d6670; --accent: #1d63b8; --s: #1a7344; --v: #8a5a00; --m: #7a3fb0; --op: #1d63b8; --bad: #a8441a; --mean: #8a6d1f; }
@media (prefers-color-scheme: dark) {
  svg { --page: #15181b; --grid: #282d32; --text: #dfe3e7; --soft: #9aa4ae; --accent: #6db0f7; --s: #63c58c; --v: #e0b155; --m: #c79bf2; --op: #6db0f7; --bad: #ee9467; --mean: #cfae56; }
}
text { font: 13px system-ui, sans-serif; fill: var(--soft); }
.page { fill: var(--page); }
.head { font-size: 15px; font-weight: 600; fill: var(--text); }
.code { font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--text); white-space: pre; }
.code .op { fill: var(--op); }
.code .s { fill: var(--s); }
.code .v { fill: var(--v); }
.code .m { fill: var(--m); }
.code .comment { fill: var(--soft); font-style: italic; }
.plot path { fill: none; stroke-linejoin: round; }
.plot .below { text-anchor: middle; dominant-baseline: hanging; }
.plot .beside { text-anchor: end; dominant-baseline: central; }
.plot .grid { stroke: var(--grid); }
.plot .best { stroke: var(--accent); stroke-width: 2; }
.plot .mean { stroke: var(--mean); }
.plot circle { r: 3.5px; fill: var(--page); stroke: var(--accent); stroke-width: 1.6; }
.plot .flag path { stroke: var(--bad); stroke-dasharray: 2 3; }
.plot .flag circle { fill: var(--bad); stroke: var(--bad); }
.plot text.flag { fill: var(--text); font-size: 11.5px; font-weight: 600; paint-order: stroke; stroke: var(--page); stroke-width: 5px; }
.plot text.left { text-anchor: end; }
`;

const WIDTH = 1310;
const COLUMN = 760;
const LINE = 18;
const TOP = 58;

/** Lines of code with numbers of four digits that count, and the comments below each other. */
function shorten(lines) {
  const parts = lines.map((line) => {
    const [, code, comment = ''] = /^(.*?)(#.*)?$/.exec(line);
    const short = code.replace(/\d+\.\d{5,}/g, (number) => String(Number(Number(number).toPrecision(4))));
    return { code: short.trimEnd(), comment };
  });
  const width = Math.max(...parts.map(({ code }) => code.length)) + 2;
  return parts.map(({ code, comment }) => `${code.padEnd(width)}${comment}`.trimEnd());
}

/** One line of the program, with its addresses, ops and comment in colours. */
function codeLine(line, k) {
  const [, code, comment = ''] = /^(.*?)(#.*)?$/.exec(line);
  const coloured = escapeHtml(code)
    .replace(/\b([a-z_]+)(?=\()/g, '<tspan class="op">$1</tspan>')
    .replace(/\b([svm])(\d+)\b/g, '<tspan class="$1">$1$2</tspan>');
  const rest = comment === '' ? '' : `<tspan class="comment">${escapeHtml(comment)}</tspan>`;
  return `<text class="code" xml:space="preserve" x="${COLUMN}" y="${TOP + LINE * k}">${coloured}${rest}</text>`;
}

/** A picture, from a run that is made now. */
export function drawPicture(name) {
  const { search, found } = PICTURES[name];
  const folder = mkdtempSync(join(tmpdir(), 'evozero-picture-'));
  try {
    const run = join(folder, 'run');
    const { algorithms, finalFitness } = JSON.parse(evozero(...search, '--out', run, '--json'));
    evozero('report', run);
    const plot = /<svg class="plot[\s\S]*?<\/svg>/.exec(readFileSync(join(run, 'report.html'), 'utf8'))[0];
    const [program] = evozero('explain', run)
      .split('\n')
      .slice(2)
      .join('\n')
      .split(/\n\n\d+ technique/);
    const lines = shorten(program.split('\n'));
    const [, width, height] = /viewBox="0 \S+ (\d+) ([\d.]+)"/.exec(plot);
    const bottom = Math.max(TOP + LINE * lines.length, 62 + Number(height)) + 4;
    const placed = plot.replace('<svg ', `<svg x="0" y="44" width="${width}" height="${height}" `);
    const caption = `Nobody wrote this program: evolution found it among ${algorithms.toLocaleString('en-US')}. Fitness on tasks it never saw: ${finalFitness.toFixed(4)} of 1.`;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom}" role="img" aria-label="Fitness rises as evolution tries programs; beside it, ${found}.">
<style>${STYLE}</style>
<rect class="page" width="${WIDTH}" height="${bottom}" rx="8"/>
<text class="head" x="20" y="26">Best fitness over algorithms tried, and where techniques appeared</text>
<text class="head" x="${COLUMN}" y="26">What it found</text>
${placed}
<text x="20" y="${bottom - 8}">${caption}</text>
${lines.map(codeLine).join('\n')}
</svg>
`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  for (const name of names.length === 0 ? ['first-search'] : names) {
    writeFileSync(join(root, `docs/pictures/${name}.svg`), drawPicture(name));
  }
}
