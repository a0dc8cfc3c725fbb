// `npm run site`: the documentation as static pages, into dist/site or where --out says. Installs what is missing first.
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './setup.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = process.argv.indexOf('--out');
const out = at < 0 ? join(root, 'dist/site') : resolve(process.argv[at + 1] ?? '');

prepare();
// Only what this command made may be removed.
if (existsSync(out) && !existsSync(join(out, 'site.css'))) {
  console.error(`evozero: ${out} is there, and is no site: choose another folder`);
  process.exit(2);
}
rmSync(out, { recursive: true, force: true });
const { buildSite } = await import('./site/build.js');
const count = buildSite(out);
console.log(`${count} pages; open ${join(out, 'index.html')}`);
