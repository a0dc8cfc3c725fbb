// Measures every op of the fast engine and writes src/engine/op-costs.ts, the table behind the cost model. Run by
// `npm run costs` when kernels change, on a machine with nothing else to do; takes about two minutes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './setup.js';

const root = fileURLToPath(new URL('..', import.meta.url));
prepare();
const { measureOpCosts } = await import('../dist/bench/op-costs.js');
const COST_FEATURES = [4, 16, 64, 256];

const MILLISECONDS = 300;
const tables = COST_FEATURES.map((features) => {
  process.stderr.write(`measuring at ${features} features ...\n`);
  return measureOpCosts(features, MILLISECONDS);
});
const rows = tables[0].map(({ op }, k) => {
  const costs = tables.map((table) => Number((1000 * table[k].units).toPrecision(3)));
  return `  '${op.name}': [${costs.join(', ')}],\n`;
});
writeFileSync(
  join(root, 'src/engine/op-costs.ts'),
  [
    '// Measured by `npm run costs`; do not edit. The time of each op in the fast engine (f64), for one of 10 tasks, in thousandths of\n',
    "// the yardstick's unit (bench/clock.ts), so that the numbers do not depend on the machine's speed.\n",
    "import type { OpName } from '../ops/table.js';\n\n",
    '/** The feature sizes that the costs belong to. */\n',
    `export const COST_FEATURES = [${COST_FEATURES.join(', ')}] as const;\n\n`,
    '// biome-ignore format: one row per op\n',
    'export const OP_COSTS: { readonly [name in OpName]: readonly [number, number, number, number] } = {\n',
    ...rows,
    '};\n',
  ].join(''),
);
