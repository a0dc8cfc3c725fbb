// docs/ops.md, made from the op table; a test fails if the file is stale. Must not know anything but ops.
import { OPS } from './ops.js';
import { operationCount } from './semantics.js';
import type { Op } from './types.js';

const INTRODUCTION = `# The ops

Made from the op table (\`src/ops/table.ts\`) by \`npm run docs\`; do not edit.

In the text form s, v and m stand for scalar, vector and matrix addresses, i and j for element indices (from 0; beyond the
feature size they wrap), c for constants. In the meanings a and b are the inputs in the order of the text form, and F is
the feature size. The output may be one of the inputs: all of the input is read before anything is written.

**Order of sums.** Every Σ adds in one order, in all engines but the one for whole images, so that results agree to the bit: term k goes into partial sum
k mod 8, then the partial sums are folded in halves (4, 2, 1). With fewer than 8 terms only that many partial sums exist.
Matrices are summed row after row.

**f32** rounds the result of every addition, multiplication, division, root and function value; what is drawn at random is computed in
f64 and rounded once.

**Constants** are drawn uniformly from the range given when an instruction is made at random. A mutation scales them, and
flips the sign where it says ±.

**Operations** counts additions, multiplications and function values, each as one.

| op | name | text | meaning | constants | inputs commute | operations |
| --- | --- | --- | --- | --- | --- | --- |
`;

/** operationCount as a polynomial in F, found from its values. */
function operations(op: Op): string {
  const [one, two] = [operationCount(op, 1), operationCount(op, 2)];
  if (one === two) return String(one);
  const power = Math.log2(two / one);
  const factor = one === 1 ? '' : `${one} `;
  return `${factor}F${power === 1 ? '' : power === 2 ? '²' : '³'}`;
}

function row(op: Op): string {
  const also = op.alsoRead === undefined ? '' : ` (also ${op.alsoRead.map((text) => `\`${text}\``).join(', ')})`;
  const constants = op.constantSpecs
    .map((c) => `${c.symbol} in [${c.low}, ${c.high}]${c.signed ? ' ±' : ''}`)
    .join(', ');
  const meaning = op.about.replaceAll('|', '\\|');
  const commute = op.commutes ? 'yes' : '';
  return `| ${op.id} | ${op.name} | \`${op.text}\`${also} | ${meaning} | ${constants} | ${commute} | ${operations(op)} |\n`;
}

export function opsPage(): string {
  return INTRODUCTION + OPS.map(row).join('');
}
