// What the style sheet of a page of findings has beyond those of reports: claims, charts, tables. Must not know what is on the page
// but for its classes.

import { html } from '../../pages/markup.js';
import { REPORT_STYLE } from '../../pages/report-style.js';
import { PAGE_STYLE } from '../../reports/page-style.js';

const CHART_STYLE = html`
figure.chart-figure { padding: 14px 16px 12px; }
figure + figure, .table + .table, .found + .found { margin-top: 18px; }
.chart-title { margin: 0 0 8px; font-weight: 600; line-height: 1.35; overflow-wrap: anywhere; }
.chart-figure figcaption { margin-top: 8px; color: var(--soft); font-size: 0.87rem; max-width: 72ch; }
.plot.chart { max-height: none; }
.plot.narrow { display: none; }
.plot.chart text { font-size: 12px; dominant-baseline: central; }
.chart .middle { text-anchor: middle; }
.chart .end { text-anchor: end; }
.plot.chart .axis, .plot.chart .name { fill: var(--text); }
.plot.chart .value { fill: var(--text); font-weight: 600; }
.plot.chart .paper-text { fill: var(--paper); }
.plot.chart .callout, .plot.chart .level-name { fill: var(--text); paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round; }
.plot.chart .level-name { fill: var(--soft); font-style: italic; }
.chart .level path { stroke: var(--soft); stroke-width: 1.2; stroke-dasharray: 5 4; }
.chart .pole { stroke: var(--other); stroke-width: 1; }
.chart path.line { fill: none; stroke: currentColor; stroke-width: 2; }
.chart path.band { fill: currentColor; opacity: 0.16; }
.chart .error { fill: none; stroke: currentColor; stroke-width: 1.3; }
.chart path.dot, .plot.chart path.dot { fill: currentColor; stroke: var(--card); stroke-width: 1; }
.chart g:hover > .dot { stroke: var(--text); }
.chart .cloud { fill: none; stroke: currentColor; stroke-width: 4; stroke-linecap: round; opacity: 0.6; }
.chart .thin { stroke-width: 0.8; opacity: 0.4; }
.chart .base { stroke: var(--other); stroke-width: 1; }
.chart .clear { paint-order: stroke; stroke: var(--card); stroke-width: 3px; stroke-linejoin: round; }
.chart rect { fill: currentColor; opacity: 0.72; }
.chart .bar-row:hover rect { opacity: 0.9; }
.bar-row .error, .key .error { stroke: var(--text); }
.chart .paper-mark, .plot.chart path.paper-mark { fill: var(--paper); stroke: none; }
${[1, 2, 3, 4, 5, 6, 7, 8].map((k) => html`.chart .line-${k}, .chart.line-${k} { color: var(--line-${k}); }\n`)}
.legend svg.key { width: 26px; height: 14px; margin-right: 6px; border: 0; }
`;

const PAGE = html`
:root { --paper: #b1480f; --open: #5d6670; --partly: #8a5a00; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #ee9467; --open: #9aa4ae; --partly: #e0b155; }
}
main { max-width: 880px; }
header .place { margin: 0 0 4px; color: var(--accent); font-weight: 600; font-size: 0.9rem; }
header .question { margin: 10px 0 0; font-size: 1.06rem; max-width: 68ch; }

.claims { border-bottom: 1px solid var(--rule); }
.claims th, .claims td { padding-top: 8px; padding-bottom: 8px; }
.claims thead th { padding-top: 0; }
.claims tbody th { width: 42%; }
.claims td { overflow-wrap: anywhere; }
.claims .judged { white-space: nowrap; font-weight: 600; }
.claims .why td { padding: 0 0 10px; border-top: 0; color: var(--soft); font-size: 0.94em; }
.judged.reproduced { color: var(--good); }
.judged.partly { color: var(--partly); }
.judged.not-reproduced { color: var(--bad); }
.judged.open { color: var(--open); }
.judged span { display: inline-block; width: 1.3em; }

.table h3, .found h3 { margin-bottom: 4px; overflow-wrap: anywhere; }
.table td, .table th { white-space: nowrap; }
.table .text { white-space: normal; min-width: 16em; overflow-wrap: anywhere; }
.table table { width: auto; min-width: 50%; }
.table tbody tr:hover { background: var(--grid); }
.notes { margin: 0; padding-left: 20px; }
.notes li + li { margin-top: 5px; }
.found pre { margin-top: 6px; }
.facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 3px 18px; margin: 12px 0 0; font-size: 0.9rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; }

@media (max-width: 640px) {
  figure.chart-figure { padding: 12px 10px 10px; }
  .plot.broad { display: none; }
  .plot.narrow { display: block; max-width: 480px; margin: 0 auto; }
  .claims, .claims tbody, .claims tr, .claims tbody th, .claims td { display: block; width: auto; }
  .claims thead { display: none; }
  .claims tbody { padding: 10px 0; border-top: 1px solid var(--rule); }
  .claims tbody th, .claims td { padding: 1px 0; border: 0; }
  .claims tbody th { padding-bottom: 4px; font-weight: 600; }
  .claims td[data-name]::before { content: attr(data-name) ": "; color: var(--soft); }
  .claims .why td { padding: 3px 0 0; }
}
@media print {
  .wide { overflow: visible; }
}
`;

export const FINDINGS_STYLE = html`${REPORT_STYLE}${PAGE_STYLE}${CHART_STYLE}${PAGE}`;
