// `npm run nightly [NAME...]`: every experiment of the paper at laptop scale, one after the other, in about six hours of two cores; then
// docs/results.md. Run it again after it was stopped or killed: it goes on where it was. What is in results/ already is kept;
// `--again` does it anew. Needs the data sets (EVOZERO_DATA or `evozero data get`).
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeResults } from './results.js';
import { prepare } from './setup.js';

const root = fileURLToPath(new URL('..', import.meta.url));

prepare();
const { REPRODUCTIONS } = await import('../dist/reproduce/experiments.js');
const words = process.argv.slice(2);
const again = words.includes('--again');
const names = words.filter((word) => !word.startsWith('--'));
const wrong = names.filter((name) => !REPRODUCTIONS.some((one) => one.name === name));
if (wrong.length > 0) {
  console.error(`nightly: there is no experiment ${wrong.join(', ')}; \`evozero reproduce\` lists them`);
  process.exit(2);
}

mkdirSync(join(root, 'results'), { recursive: true });
for (const { name, laptopMinutes } of REPRODUCTIONS) {
  if (names.length > 0 && !names.includes(name)) continue;
  const kept = join(root, 'results', `${name}.json`);
  if (existsSync(kept) && !again) {
    console.error(`${name}: is in results/ already`);
    continue;
  }
  console.error(`${name}: about ${laptopMinutes} minutes`);
  const place = join(root, 'reproductions', `${name}-laptop`);
  const command = [join(root, 'bin/evozero.js'), 'reproduce', name, '--out', place];
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`nightly: stopped at ${name}; npm run nightly goes on there`);
    process.exit(status ?? 1);
  }
  copyFileSync(join(place, 'findings.json'), kept);
}
await writeResults();
