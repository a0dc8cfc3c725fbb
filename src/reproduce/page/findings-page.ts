// The page of a reproduction: the paper's claims with our numbers beside them, figures, tables, programs, and how to run it again.
// One text that needs nothing else. Pure: must not read files, nor the clock.
import { html, type Markup } from '../../pages/markup.js';
import { markProgram } from '../../pages/program-markup.js';
import { renderPage } from '../../pages/run-page.js';
import { count, durationText } from '../../util/number-text.js';
import type { Claim, Findings, FoundProgram, Table } from '../findings.js';
import { countVerdicts, VERDICTS } from '../verdicts.js';
import { drawFigure } from './draw-figure.js';
import { FINDINGS_STYLE } from './findings-style.js';
import { readColumns } from './table-cells.js';

/** Longer tables are folded away, */
const LONG_TABLE = 20;
/** and end here: their CSV files have all. */
const MAX_ROWS = 500;
/** More programs are folded away. */
const SHOWN_PROGRAMS = 3;

function renderSection(id: string, title: string, content: readonly Markup[]): Markup | undefined {
  if (content.length === 0) return undefined;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}
</section>\n`;
}

// --- Claims ------------------------------------------------------------------------------------------------------------

function renderHeader({ title, paper, question, claims }: Findings): Markup {
  const has = (verdict: Claim['verdict']) => claims.some((claim) => claim.verdict === verdict);
  const isGood = claims.length > 0 && claims.every(({ verdict }) => verdict === 'reproduced');
  const kind = isGood ? 'good' : has('not-reproduced') ? 'bad' : 'neutral';
  return html`<header>
<p class="place">${paper}</p>
<h1>${title}</h1>
<p class="question">${question}</p>
<p class="verdict ${kind}">${count(claims.length, 'claim')} of the paper: ${countVerdicts(claims)}.</p>
</header>\n`;
}

function renderClaim({ claim, paper, ours, verdict, note }: Claim): Markup {
  const { word, symbol } = VERDICTS[verdict];
  const why = note === undefined ? undefined : html`<tr class="why"><td colspan="4">${note}</td></tr>\n`;
  return html`<tbody>
<tr><th scope="row">${claim}</th><td data-name="Paper">${paper}</td><td data-name="Ours">${ours}</td><td class="judged ${verdict}"><span aria-hidden="true">${symbol}</span>${word}</td></tr>
${why}</tbody>\n`;
}

function renderClaims(claims: readonly Claim[]): Markup | undefined {
  if (claims.length === 0) return undefined;
  const table = html`<table class="claims">
<caption class="unseen">What the paper claims, and what we found</caption>
<thead><tr><th scope="col">Claim</th><th scope="col">Paper</th><th scope="col">Ours</th><th scope="col">Verdict</th></tr></thead>
${claims.map(renderClaim)}</table>`;
  return renderSection('claims', 'Claims', [table]);
}

// --- Tables ------------------------------------------------------------------------------------------------------------

/** Texts that are long may break their lines. */
const LONG_TEXT = 28;

function renderRows(table: Table): Markup {
  const columns = readColumns({ columns: table.columns, rows: table.rows.slice(0, MAX_ROWS) });
  const kinds = columns.map(({ isFigures, texts }) =>
    isFigures ? 'figure' : texts.some((text) => text.length > LONG_TEXT) ? 'text' : 'word',
  );
  const heads = columns.map(({ name }, k) => html`<th scope="col" class="${kinds[k]}">${name}</th>`);
  const rows = Array.from({ length: Math.min(MAX_ROWS, table.rows.length) }, (_, row) => {
    const cells = columns.map(({ texts }, k) =>
      k === 0 && kinds[k] !== 'figure'
        ? html`<th scope="row" class="${kinds[k]}">${texts[row]}</th>`
        : html`<td class="${kinds[k]}">${texts[row]}</td>`,
    );
    return html`<tr>${cells}</tr>\n`;
  });
  return html`<div class="wide" tabindex="0" role="region" aria-label="${table.title}"><table>
<thead><tr>${heads}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
}

function renderTable(table: Table): Markup {
  const { name, title, rows } = table;
  const left = rows.length - MAX_ROWS;
  const more = left > 0 ? html`<p class="note">${count(left, 'more row')} in ${name}.csv.</p>` : undefined;
  const body = html`${renderRows(table)}${more}`;
  const folded =
    rows.length > LONG_TABLE ? html`<details><summary>${count(rows.length, 'row')}</summary>\n${body}</details>` : body;
  return html`<div class="table"><h3>${title}</h3>
${folded}
</div>\n`;
}

// --- Programs, notes, how --------------------------------------------------------------------------------------------

function renderProgram({ name, about, text }: FoundProgram, isShown: boolean): Markup {
  const code = html`<pre class="program" tabindex="0">${markProgram(text)}</pre>`;
  const shown = isShown ? code : html`<details><summary>Program</summary>${code}</details>`;
  return html`<div class="found"><h3>${name}</h3>
<p class="note">${about}</p>
${shown}
</div>\n`;
}

function renderNotes(notes: readonly string[]): Markup[] {
  if (notes.length === 0) return [];
  return [html`<ul class="notes">\n${notes.map((note) => html`<li>${note}</li>\n`)}</ul>`];
}

function renderAgain({ command, scale, seed, date, machine, seconds, searchCpuSeconds, version }: Findings): Markup {
  const facts: readonly (readonly [string, string])[] = [
    ['Scale', scale],
    ['Seed', String(seed)],
    ['Machine', machine],
    ['Time', durationText(seconds)],
    ...(searchCpuSeconds === undefined ? [] : [['CPU time of searches', durationText(searchCpuSeconds)] as const]),
    ['Date', date],
    ['Version', `evozero ${version}`],
  ];
  return html`<pre class="command" tabindex="0">${command}</pre>
<dl class="facts">
${facts.map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>\n`)}</dl>`;
}

/** The whole page. */
export function renderFindingsPage(findings: Findings): string {
  const { title, claims, figures, tables, programs, notes } = findings;
  const shownPrograms = programs.length <= SHOWN_PROGRAMS;
  const body = html`${renderHeader(findings)}${renderClaims(claims)}${renderSection(
    'figures',
    figures.length === 1 ? 'Figure' : 'Figures',
    figures.map((figure) => html`${drawFigure(figure)}\n`),
  )}${renderSection('notes', 'What to know', renderNotes(notes))}${renderSection(
    'tables',
    tables.length === 1 ? 'Table' : 'Tables',
    tables.map(renderTable),
  )}${renderSection(
    'programs',
    programs.length === 1 ? 'Program' : 'Programs',
    programs.map((program, k) => renderProgram(program, shownPrograms || k === 0)),
  )}${renderSection('again', 'Run it again', [renderAgain(findings)])}`;
  return renderPage({ title: `${title} - evozero`, style: FINDINGS_STYLE, body });
}
