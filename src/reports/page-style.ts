// What the style sheet of `evozero report` has beyond that of report.html: flags, diagrams, the overview. Must not know what is on the
// page but for its classes.
import { html } from '../pages/markup.js';

// Lines of runs are told apart by hue and, where there are many, by what came of them; text never has these colours.
export const PAGE_STYLE = html`
:root {
  --line-1: #1d63b8; --line-2: #c2571a; --line-3: #2f8f5b; --line-4: #96359c; --line-5: #a8862a; --line-6: #c0392b; --line-7: #2d8f9b; --line-8: #6b737b;
  --cluster: #f4f6f8; --box: #ffffff; --end: #e9f1fb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --line-1: #6db0f7; --line-2: #ee9467; --line-3: #63c58c; --line-4: #d695dc; --line-5: #d9bd62; --line-6: #f0847a; --line-7: #5fc3cf; --line-8: #9aa4ae;
    --cluster: #20262b; --box: #262c33; --end: #1d3350;
  }
}
a { color: var(--accent); }
h3 { margin: 0 0 10px; font-size: 1.02rem; line-height: 1.3; }
header .path { margin: 2px 0 0; }
.columns { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); }
.plot { max-height: 620px; }

.flag path { stroke: var(--accent); stroke-width: 1; opacity: 0.55; }
.plot text.flag { fill: var(--text); paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round; }
.flag .number { fill: var(--accent); font-weight: 700; }
.plot text.left { text-anchor: end; }
.plot .flag circle { fill: var(--accent); }
.plot text.flag.lost { fill: var(--soft); }
.flag.lost path { stroke-dasharray: 3 3; }
.flags { margin: 10px 0 0; padding-left: 24px; font-size: 0.9rem; }
.flags li::marker { color: var(--accent); font-weight: 700; }
.remarks { margin: 4px 0 0; padding: 0; list-style: none; font-size: 0.9em; }
.remarks .came { color: var(--good); font-weight: 600; }
.remarks .came::before { content: "+ "; }
.remarks .went { color: var(--bad); }

.techniques { margin: 0; padding: 0; list-style: none; font-size: 0.9rem; }
.techniques li { padding: 6px 0; border-top: 1px solid var(--rule); }
.techniques li:first-child { border-top: 0; padding-top: 0; }
.techniques summary { color: var(--text); }
.techniques pre { margin: 4px 0 6px; padding: 6px 10px; }

.flow { overflow-x: auto; text-align: center; }
.flow svg { display: inline-block; max-width: 100%; height: auto; }
.flow .page { fill: none; }
.flow .cluster { fill: var(--cluster); stroke: var(--rule); }
.flow .title { fill: var(--soft); font: 600 13px system-ui, sans-serif; }
.flow .note { fill: var(--soft); font: 11px system-ui, sans-serif; }
.flow .label { fill: var(--text); font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.flow .box { fill: var(--box); stroke-width: 1.4; }
.flow .input .box, .flow .prediction .box { fill: var(--end); }
.flow .state .box { stroke-width: 2.4; }
.flow .edge { fill: none; stroke-width: 1.4; opacity: 0.85; }
.flow .back { stroke-dasharray: 6 4; }
.flow .s { stroke: var(--s); }
.flow .v { stroke: var(--v); }
.flow .m { stroke: var(--m); }
.flow .s-head { fill: var(--s); }
.flow .v-head { fill: var(--v); }
.flow .m-head { fill: var(--m); }
figure + details, figure.losses + details { margin-top: 8px; }

figure.losses { overflow-x: auto; }
.losses svg { display: block; width: 100%; max-width: 900px; min-width: 520px; height: auto; margin: 0 auto; }
.losses svg > rect { fill: none; }
.losses text { fill: var(--text); font: 12px system-ui, sans-serif; }
.losses .label { text-anchor: end; }
.losses .scale { text-anchor: middle; fill: var(--soft); }
.losses .title { font-weight: 600; }
.losses .mark { stroke: var(--grid); }
.losses .zero { stroke: var(--soft); }
.losses rect.sure { fill: var(--accent); }
.losses rect.unsure { fill: var(--canonical); }
.losses .error { stroke: var(--text); fill: none; }
.legend .sure { border-top: 8px solid var(--accent); }
.legend .unsure { border-top: 8px solid var(--canonical); }

.all path { stroke-width: 1.6; }
.all .grid { stroke-width: 1; }
.plot.all circle { r: 2.6px; stroke: none; }
.all g:hover path { stroke-width: 3; }
${[1, 2, 3, 4, 5, 6, 7, 8].map(
  (
    k,
  ) => html`.all .line-${k} path { stroke: var(--line-${k}); } .all .line-${k} circle { fill: var(--line-${k}); } .legend .line-${k} { border-top-color: var(--line-${k}); }
`,
)}.all .line-good path { stroke: var(--good); } .all .line-good circle { fill: var(--good); } .legend .line-good { border-top-color: var(--good); }
.all .line-bad path { stroke: var(--bad); } .all .line-bad circle { fill: var(--bad); } .legend .line-bad { border-top-color: var(--bad); }
.all .line-neutral path { stroke: var(--other); } .all .line-neutral circle { fill: var(--other); } .legend .line-neutral { border-top-color: var(--other); }

.wide { overflow-x: auto; }
.runs th[scope="row"] { overflow-wrap: anywhere; min-width: 8em; }
.runs td { white-space: nowrap; }
.runs .good { color: var(--good); font-weight: 600; }
.runs .bad { color: var(--bad); }
.runs button { padding: 0; border: 0; background: none; color: var(--accent); font: inherit; cursor: pointer; }
.runs [aria-sort="ascending"] button::after { content: " ↑"; }
.runs [aria-sort="descending"] button::after { content: " ↓"; }
.run { margin-top: 8px; padding: 8px 14px; border: 1px solid var(--rule); border-left: 4px solid var(--accent); border-radius: 4px; background: var(--page); }
.run.good { border-left-color: var(--good); }
.run.bad { border-left-color: var(--bad); }
.run > summary { color: var(--text); }
.run > summary h2 { display: inline; overflow-wrap: anywhere; }
.run > summary span { color: var(--soft); }
.run > div { padding-bottom: 10px; scroll-margin-top: 60px; }

@media (max-width: 980px) {
  .columns { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 760px) {
  .flag .words { display: none; }
  .flow svg { max-width: none; }
  .run { padding: 8px 10px; }
}
@media print {
  .run::details-content { content-visibility: visible; height: auto; }
  section { break-inside: auto; }
  h2, h3 { break-after: avoid; }
  figure, tr, .techniques li { break-inside: avoid; }
  pre { white-space: pre-wrap; }
}
`;
