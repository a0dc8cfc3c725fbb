// Writes the files that are made from others: the module with the built-in programs' texts, docs/ops.md and docs/reference/*.md. Tests
// fail if they are stale. Run by `npm run docs`.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './setup.js';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The paper's programs, and those that our own runs discovered. */
const PROGRAMS = join(root, 'src/program/builtin');

function programFiles() {
  return readdirSync(PROGRAMS, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.alg'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((path) => ({
      path,
      name: relative(PROGRAMS, path)
        .replaceAll('\\', '/')
        .replace(/\.alg$/, ''),
    }));
}

/** src/program/builtin-texts.ts from the .alg files; the name of a program is its path without the ending. */
export function builtinModule() {
  const files = programFiles().sort((a, b) => (a.name < b.name ? -1 : 1));
  const entries = files.map(({ path, name }) => {
    const text = readFileSync(path, 'utf8').replace(/[\\`$]/g, '\\$&');
    return `  '${name}': \`${text}\`,\n`;
  });
  return [
    '// Made from builtin/**/*.alg by `npm run docs`; do not edit.\n',
    'export const BUILTIN_TEXTS: Readonly<Record<string, string>> = {\n',
    ...entries,
    '};\n',
  ].join('');
}

/** The generated pages of docs/, by path; what they are made of must have been compiled. */
async function pages() {
  const [{ opsPage }, { createCli }, { CONFIG }, z] = await Promise.all([
    import('../dist/ops/page.js'),
    import('../dist/cli/main.js'),
    import('../dist/experiment/config-schema.js'),
    import('zod'),
  ]);
  const [{ campaignsPage }, { commandsPage }, { configPage }, { eventsPage }, { apiPage }] = await Promise.all([
    import('./reference/campaigns.js'),
    import('./reference/commands.js'),
    import('./reference/config.js'),
    import('./reference/events.js'),
    import('./reference/api.js'),
  ]);
  const compiled = join(root, 'dist');
  return {
    'docs/ops.md': opsPage(),
    'docs/reference/campaigns.md': campaignsPage(root),
    'docs/reference/commands.md': commandsPage(await createCli([])),
    'docs/reference/config.md': configPage(z.toJSONSchema(CONFIG, { io: 'input', unrepresentable: 'any' })),
    'docs/reference/events.md': eventsPage(compiled),
    'docs/reference/api.md': apiPage(compiled),
  };
}

/** An unchanged file keeps its time, so that nothing is compiled again because of it. */
function write(path, text) {
  const file = join(root, path);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  write('src/program/builtin-texts.ts', builtinModule());
  prepare();
  mkdirSync(join(root, 'docs/reference'), { recursive: true });
  for (const [path, text] of Object.entries(await pages())) write(path, text);
}
