// The style sheet of a report: light and dark, from the width of a phone to that of a wide screen. Must not know what is on the page
// but for its classes.
import { html } from './markup.js';

// Colours of text have a contrast of at least 4.5 to 1 with what is behind them, in both schemes.
export const REPORT_STYLE = html`
:root {
  color-scheme: light dark;
  --page: #fbfbfa; --card: #ffffff; --rule: #e3e3df; --text: #22262b; --soft: #5d6670; --accent: #1d63b8;
  --good: #1a7344; --bad: #a8441a; --grid: #ececea; --other: #8f969e; --mean: #8a6d1f; --hurdle: #a8441a;
  --op: #1d63b8; --s: #1a7344; --v: #8a5a00; --m: #96359c; --number: #a63d3d;
  --ins: #e6f4ea; --ins-text: #14552f; --del: #fceae7; --del-text: #8c2f1b;
  --over-budget: #9aa1a8; --canonical: #a9c8ea; --fingerprint: #5b94d3; --cut: #efb27a; --audited: #c9702a; --evaluated: #2f8f5b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181b; --card: #1b1f23; --rule: #30363c; --text: #dfe3e7; --soft: #9aa4ae; --accent: #6db0f7;
    --good: #63c58c; --bad: #ee9467; --grid: #282d32; --other: #69727b; --mean: #cfae56; --hurdle: #ee9467;
    --op: #6db0f7; --s: #63c58c; --v: #e0b155; --m: #d695dc; --number: #ee9a93;
    --ins: #17301f; --ins-text: #8fdcae; --del: #3a201a; --del-text: #f3ac98;
    --over-budget: #6b737b; --canonical: #2d5480; --fingerprint: #4f8bcb; --cut: #a8703c; --audited: #e08b47; --evaluated: #48a873;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { max-width: 1120px; margin: 0 auto; padding: 28px clamp(14px, 3vw, 36px) 40px; }
h1 { margin: 0; font-size: 1.65rem; line-height: 1.2; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { margin: 0 0 10px; font-size: 1.02rem; line-height: 1.3; }
section { margin-top: 30px; min-width: 0; }
p { margin: 6px 0; }
small { font-size: 0.85em; color: var(--soft); }
.about, .note, .effort, footer { color: var(--soft); }
.note, footer { font-size: 0.87rem; }
.verdict { margin: 14px 0 0; padding: 10px 14px; background: var(--card); border: 1px solid var(--rule); border-left: 4px solid var(--accent); border-radius: 4px; font-weight: 600; }
.verdict.good { border-left-color: var(--good); }
.verdict.bad { border-left-color: var(--bad); }
.effort { font-weight: 400; }
.columns { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); column-gap: 36px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

pre, .lineage ins, .lineage del, .ops, .path { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre { margin: 0; padding: 12px 14px; overflow-x: auto; background: var(--card); border: 1px solid var(--rule); border-radius: 6px; font-size: 0.87rem; line-height: 1.5; }
.program .op { color: var(--op); }
.program .s { color: var(--s); }
.program .v { color: var(--v); }
.program .m { color: var(--m); }
.program .number { color: var(--number); }
.program i { color: var(--soft); }
summary { cursor: pointer; color: var(--accent); font-size: 0.9rem; }
pre + details { margin-top: 8px; }
details > pre { margin-top: 6px; }

table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td { padding: 5px 14px 5px 0; text-align: left; vertical-align: baseline; border-top: 1px solid var(--rule); font-weight: 400; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--soft); font-size: 0.82rem; border-top: 0; }
.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.score { font-weight: 600; }
.scores th, .judgements th { white-space: nowrap; }
.scores td:last-child, .judgements .about { width: 99%; color: var(--soft); overflow-wrap: anywhere; }

.bar { display: block; width: 100%; height: 22px; margin-bottom: 8px; border-radius: 4px; }
.bar rect { stroke: var(--page); stroke-width: 1; vector-effect: non-scaling-stroke; }
.swatch { display: inline-block; width: 11px; height: 11px; margin-right: 8px; border-radius: 2px; }
.over-budget { fill: var(--over-budget); background: var(--over-budget); }
.canonical { fill: var(--canonical); background: var(--canonical); }
.fingerprint { fill: var(--fingerprint); background: var(--fingerprint); }
.cut { fill: var(--cut); background: var(--cut); }
.audited { fill: var(--audited); background: var(--audited); }
.evaluated { fill: var(--evaluated); background: var(--evaluated); }

figure { margin: 0; padding: 10px 10px 8px; background: var(--card); border: 1px solid var(--rule); border-radius: 6px; }
.plot { display: block; width: 100%; height: auto; max-height: 480px; overflow: visible; }
.plot path { fill: none; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.plot text { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
.plot .below { text-anchor: middle; dominant-baseline: hanging; }
.plot .beside { text-anchor: end; dominant-baseline: central; }
.plot .grid { stroke: var(--grid); stroke-width: 1; }
.plot .best { stroke: var(--accent); stroke-width: 2; }
.plot .other { stroke: var(--other); stroke-width: 1.2; }
.plot .mean { stroke: var(--mean); stroke-width: 1; }
.plot .hurdle { stroke: var(--hurdle); stroke-width: 1.2; stroke-dasharray: 5 4; }
.plot circle { r: 3.5px; fill: var(--card); stroke: var(--accent); stroke-width: 1.6; }
.plot.dense circle { r: 1.8px; stroke-width: 1; }
.plot circle:hover { fill: var(--accent); }
.legend { display: flex; flex-wrap: wrap; gap: 2px 20px; margin: 6px 0 0; padding: 0; list-style: none; color: var(--soft); font-size: 0.85rem; }
.legend .key { display: inline-block; width: 20px; margin-right: 7px; vertical-align: middle; border-top: 2px solid var(--accent); }
.legend .other { border-top-color: var(--other); }
.legend .mean { border-top: 1px solid var(--mean); }
.legend .hurdle { border-top: 2px dashed var(--hurdle); }
.legend .dots { width: 9px; height: 9px; border: 2px solid var(--accent); border-radius: 50%; }

.lineage { table-layout: fixed; }
.lineage col:nth-child(1) { width: 88px; }
.lineage col:nth-child(2) { width: 186px; }
.lineage col:nth-child(3) { width: 262px; }
.lineage td { font-variant-numeric: tabular-nums; }
.change { display: grid; grid-template-columns: 54px minmax(0, 1fr) minmax(0, 1fr); column-gap: 4px; }
.change + .change { margin-top: 4px; }
.change .more { grid-column: 2 / -1; }
.lineage ins, .lineage del { display: block; padding: 0 6px 0 20px; text-decoration: none; text-indent: -14px; overflow-wrap: anywhere; font-size: 0.86em; line-height: 1.45; }
.lineage ins { background: var(--ins); color: var(--ins-text); }
.lineage del { background: var(--del); color: var(--del-text); }
.lineage ins::before { content: "+ "; }
.lineage del::before { content: "− "; }
.fold { padding: 7px 0; border-top: 1px solid var(--rule); }
.fold table { margin-top: 8px; }
.fold + table thead { display: none; }

.settings th { width: 190px; color: var(--soft); }
.settings td { overflow-wrap: anywhere; }
.ops, .path { font-size: 0.92em; overflow-wrap: anywhere; }
.command { font-weight: 600; }
footer { margin-top: 26px; padding-top: 10px; border-top: 1px solid var(--rule); }

@media (min-width: 1000px) {
  .plot text { font-size: 9px; }
  .plot circle { r: 2.6px; }
}
@media (max-width: 760px) {
  main { padding-top: 18px; }
  .columns { grid-template-columns: minmax(0, 1fr); }
  .plot text { font-size: 22px; }
  .plot circle { r: 5px; }
  .plot.dense circle { r: 3px; }
  .settings th { width: 112px; }
  .judgements tr { display: grid; grid-template-columns: 1fr auto 4em; border-top: 1px solid var(--rule); }
  .judgements th, .judgements td { border: 0; padding-bottom: 0; }
  .judgements td:nth-child(3) { padding-right: 0; }
  .judgements .about { grid-column: 1 / -1; width: auto; padding: 0 0 5px 19px; font-size: 0.93em; }
  .change { display: block; }
  .lineage, .lineage tbody, .judgements, .judgements tbody { display: block; }
  .lineage thead { display: none; }
  .lineage tr { display: grid; grid-template-columns: auto 1fr; gap: 0 12px; padding: 6px 0; border-top: 1px solid var(--rule); }
  .lineage td { padding: 0; border: 0; overflow-wrap: anywhere; }
  .lineage td:nth-child(n + 3) { grid-column: 1 / -1; }
}
@media print {
  body { font-size: 12px; }
  section { break-inside: avoid-page; }
}
`;
