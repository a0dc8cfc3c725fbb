// docs/results.md: an overview of all reproductions, then the claims of each with its numbers. Made of findings alone, so that the
// same findings give the same text. Must not know how they were measured.
import { durationText } from '../util/number-text.js';
import type { Claim, Findings, Table } from './findings.js';
import { readColumns } from './page/table-cells.js';
import { countVerdicts, VERDICTS } from './verdicts.js';

/** Longer tables are left to the pages and CSV files. */
const MAX_ROWS = 15;

const INTRODUCTION = `# Results

What the AutoML-Zero paper claims, and what evozero finds when it does the same experiments again. Made by \`npm run results\` from
\`results/*.json\`, never by hand; \`evozero reproduce NAME\` makes these files, with a page of figures for each.

Verdicts: ${VERDICTS.reproduced.symbol} reproduced, ${VERDICTS.partly.symbol} reproduced in part, ${VERDICTS['not-reproduced'].symbol} not reproduced, ${VERDICTS.open.symbol} open: at this scale, nothing is shown either way. Wall times are of the session that ended an experiment: what an earlier one had done
already, and other work of the machine, make them shorter or longer.
`;

// --- Markdown ----------------------------------------------------------------------------------------------------------

/** Text on one line in which nothing is markup, at the beginning of a line or within. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|~$]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/^(?:[#+=-])/, '\\$&')
    .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2');
}

function writeRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

interface Column {
  readonly name: string;
  readonly isFigures?: boolean;
}

/** Cells are Markdown already. */
function writeTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const head = writeRow(columns.map(({ name }) => name));
  const rule = writeRow(columns.map(({ isFigures = false }) => (isFigures ? '---:' : '---')));
  return `${head}${rule}${rows.map(writeRow).join('')}`;
}

// --- The overview ------------------------------------------------------------------------------------------------------

function anchorOf({ name }: Findings): string {
  return name.replace(/[^\w-]/g, '-');
}

function writeOverview(all: readonly Findings[]): string {
  const columns = [
    { name: 'experiment' },
    { name: 'paper' },
    { name: 'claims' },
    { name: 'wall time', isFigures: true },
    { name: 'CPU time of searches', isFigures: true },
    { name: 'machine' },
  ];
  const rows = all.map((findings) => {
    const { title, paper, claims, seconds, searchCpuSeconds, machine } = findings;
    const link = `[${escapeMarkdown(title)}](#${anchorOf(findings)})`;
    const searched = searchCpuSeconds === undefined ? '' : durationText(searchCpuSeconds);
    return [
      link,
      escapeMarkdown(paper),
      countVerdicts(claims),
      durationText(seconds),
      searched,
      escapeMarkdown(machine),
    ];
  });
  return writeTable(columns, rows);
}

// --- One experiment ----------------------------------------------------------------------------------------------------

function writeClaims(claims: readonly Claim[]): string {
  const columns = ['claim', 'paper', 'ours', 'verdict'].map((name) => ({ name }));
  const rows = claims.map(({ claim, paper, ours, verdict, note }) => {
    const { word, symbol } = VERDICTS[verdict];
    const why = note === undefined ? '' : `<br><sub>${escapeMarkdown(note)}</sub>`;
    return [`${escapeMarkdown(claim)}${why}`, escapeMarkdown(paper), escapeMarkdown(ours), `${symbol} ${word}`];
  });
  return writeTable(columns, rows);
}

function writeNumbersTable(table: Table): string {
  const columns = readColumns(table);
  const heads = columns.map(({ name, isFigures }) => ({ name: escapeMarkdown(name), isFigures }));
  const rows = table.rows.map((_, row) => columns.map(({ texts }) => escapeMarkdown(texts[row]!)));
  return `**${escapeMarkdown(table.title)}**\n\n${writeTable(heads, rows)}`;
}

function writeExperiment(findings: Findings): string {
  const { title, paper, question, claims, tables, notes, command } = findings;
  const { scale, seed, date, seconds, machine, version } = findings;
  const [table] = tables;
  const facts = `Scale ${scale}, seed ${seed}, ${date}: ${durationText(seconds)} on ${machine}, with evozero ${version}.`;
  const parts = [
    `<a id="${anchorOf(findings)}"></a>`,
    `## ${escapeMarkdown(title)}`,
    `*${escapeMarkdown(paper)}.* ${escapeMarkdown(question)}`,
    ...(claims.length === 0 ? [] : [writeClaims(claims)]),
    ...(table !== undefined && table.rows.length > 0 && table.rows.length <= MAX_ROWS
      ? [writeNumbersTable(table)]
      : []),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${escapeMarkdown(note)}\n`).join('')]),
    `${escapeMarkdown(facts)} Again:`,
    `    ${command.replace(/\s+/g, ' ').trim()}`,
  ];
  return parts.map((part) => `${part.trimEnd()}\n`).join('\n');
}

/** The whole file, in the order that the findings come in. */
export function renderResults(all: readonly Findings[]): string {
  if (all.length === 0) return `${INTRODUCTION}\nThere are none yet.\n`;
  return [INTRODUCTION, writeOverview(all), ...all.map(writeExperiment)].join('\n');
}
