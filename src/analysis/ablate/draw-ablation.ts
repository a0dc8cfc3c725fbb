// A small chart of an ablation: one bar per section, as long as the loss, with its 95 % interval. SVG that needs nothing else, for
// files and reports. Must not know how losses are found.

export interface LossBar {
  readonly label: string;
  readonly loss: number;
  /** Half the width of the interval. */
  readonly half?: number;
  readonly isSignificant: boolean;
}

const WIDTH = 760;
const LABEL_WIDTH = 300;
const ROW = 20;
const TOP = 34;
const BOTTOM = 30;
const MARGIN = 16;
const LONGEST_LABEL = 46;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeText(text: string): string {
  return text.replace(/[^\P{C}]/gu, '\uFFFD').replace(/[&<>"]/g, (character) => ESCAPES[character]!);
}

function shortenLabel(label: string): string {
  return label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label;
}

/** A step of 1, 2 or 5 times a power of ten that gives about five marks. */
function markStep(range: number): number {
  const rough = range / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
}

function coordinate(x: number): string {
  return x.toFixed(1);
}

/** Bars in the order that they are given in. */
export function drawAblation(title: string, bars: readonly LossBar[]): string {
  const ends = bars.flatMap(({ loss, half = 0 }) => [loss - half, loss + half]);
  const low = Math.min(0, ...ends);
  const high = Math.max(0, ...ends);
  const range = high - low > 0 ? high - low : 1;
  const place = (x: number) => LABEL_WIDTH + ((x - low) / range) * (WIDTH - LABEL_WIDTH - MARGIN);
  const height = TOP + bars.length * ROW + BOTTOM;
  const step = markStep(range);
  const bottom = height - BOTTOM;
  const parts: string[] = [];
  for (let k = Math.ceil(low / step); k * step <= low + range; k++) {
    const x = coordinate(place(k * step));
    parts.push(`<line class="${k === 0 ? 'zero' : 'mark'}" x1="${x}" x2="${x}" y1="${TOP}" y2="${bottom}"/>`);
    // Seven digits hide what a product of fractions leaves.
    const text = String(Number((k * step).toPrecision(7)));
    parts.push(`<text class="scale" x="${x}" y="${bottom + 16}">${text}</text>`);
  }
  for (const [k, { label, loss, half = 0, isSignificant }] of bars.entries()) {
    const middle = TOP + (k + 0.5) * ROW;
    const [from, to] = [place(Math.min(0, loss)), place(Math.max(0, loss))];
    const [left, right] = [coordinate(place(loss - half)), coordinate(place(loss + half))];
    const value = half === 0 ? loss.toFixed(4) : `${loss.toFixed(4)} ± ${half.toFixed(4)}`;
    parts.push(
      `<g><title>${escapeText(`${label}: ${value}`)}</title>`,
      `<text class="label" x="${LABEL_WIDTH - 8}" y="${middle + 4}">${escapeText(shortenLabel(label))}</text>`,
      `<rect class="${isSignificant ? 'sure' : 'unsure'}" x="${coordinate(from)}" y="${middle - 6}" width="${coordinate(to - from)}" height="12"/>`,
      `<path class="error" d="M${left} ${middle}H${right}M${left} ${middle - 4}v8M${right} ${middle - 4}v8"/></g>`,
    );
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escapeText(title)}">
<style>text{font:12px system-ui,sans-serif;fill:#222}.label{text-anchor:end}.scale{text-anchor:middle;fill:#666}.title{font-weight:600}.mark{stroke:#ddd}.zero{stroke:#444}.sure{fill:#2b6cb0}.unsure{fill:#a9c4de}.error{stroke:#222;fill:none}</style>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text class="title" x="${MARGIN}" y="20">${escapeText(title)}</text>
${parts.join('\n')}
</svg>
`;
}
