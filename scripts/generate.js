// Writes the files that are made from others: the module with the built-in programs' texts, and docs/ops.md. Tests fail
// if they are stale. Run by `npm run docs`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './setup.js';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The paper's programs, and those that our own runs discovered. */
const PROGRAM_FOLDERS = ['src/program/builtin', 'programs'].map((folder) => join(root, folder));

function programFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.alg'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((path) => ({
      path,
      name: relative(folder, path)
        .replaceAll('\\', '/')
        .replace(/\.alg$/, ''),
    }));
}

/** src/program/builtin-texts.ts from the .alg files; the name of a program is its path without the ending. */
export function builtinModule() {
  const files = PROGRAM_FOLDERS.flatMap(programFiles).sort((a, b) => (a.name < b.name ? -1 : 1));
  const entries = files.map(({ path, name }) => {
    const text = readFileSync(path, 'utf8').replace(/[\\`$]/g, '\\$&');
    return `  '${name}': \`${text}\`,\n`;
  });
  return [
    '// Made from builtin/**/*.alg and from programs/**/*.alg by `npm run docs`; do not edit.\n',
    'export const BUILTIN_TEXTS: Readonly<Record<string, string>> = {\n',
    ...entries,
    '};\n',
  ].join('');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(root, 'src/program/builtin-texts.ts'), builtinModule());
  prepare();
  const { opsPage } = await import('../dist/ops/page.js');
  writeFileSync(join(root, 'docs/ops.md'), opsPage());
}
