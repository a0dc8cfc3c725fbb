// `npm run results`: docs/results.md from results/*.json, which `evozero reproduce NAME` and `npm run nightly` make, and the tables in
// docs/discovery.md from results/discovery.jsonl, which `npm run discovery` makes. Tests fail if they are stale.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './setup.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'results');

/** What has been found, in the order of the names that are given. */
export function readResults(names) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const all = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
  return all.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
}

/** The searches that `npm run discovery` has kept; a line that was cut off when somebody killed it is not one. */
export function readDiscoveries(path = join(folder, 'discovery.jsonl')) {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

const [TABLE_START, TABLE_END] = ['<!-- made by npm run results -->\n', '<!-- end -->'];

/** A page with other tables between its marks, one for each pair of them. */
export function withTables(page, ...tables) {
  const [before, ...parts] = page.split(TABLE_START);
  const others = parts.map((part, k) => `${TABLE_START}\n${tables[k]}\n${part.slice(part.indexOf(TABLE_END))}`);
  return before + others.join('');
}

export async function writeResults() {
  prepare();
  const { REPRODUCTIONS } = await import('../dist/reproduce/experiments.js');
  const { renderResults } = await import('../dist/reproduce/results-table.js');
  writeFileSync(join(root, 'docs/results.md'), renderResults(readResults(REPRODUCTIONS.map(({ name }) => name))));
  const { renderDiscoveries, renderImageSearches } = await import('../dist/bench/discovery-table.js');
  const discovery = join(root, 'docs/discovery.md');
  const found = readDiscoveries();
  const tables = [renderDiscoveries(found), renderImageSearches(found)];
  writeFileSync(discovery, withTables(readFileSync(discovery, 'utf8'), ...tables));
  console.error('wrote docs/results.md and the tables of docs/discovery.md');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeResults();
