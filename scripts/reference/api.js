// docs/reference/api.md: everything that the library exports, from its compiled declarations and their comments. Must not know the folders of
// src but for what they are called.
import { exportsOf } from './declarations.js';

const HEAD = `# The library

Made from the declarations of \`src/index.ts\` and \`src/data/index.ts\` and their comments by \`npm run docs\`; do not edit.

\`\`\`typescript
import { search, wasmEngine } from 'evozero'; // in Node and in browsers
import { openTasks } from 'evozero/data'; // Node only: files, downloads, the cache
\`\`\`

[The tutorial for Node](../tutorials/library-node.md) and [the one for browsers](../tutorials/library-browser.md) show how the parts go together. Types
that are named here and not listed are not meant to be made by hand.
`;

/** Folders of src in the order in which a reader needs them. */
const SECTIONS = [
  ['experiment', 'Searching'],
  ['program', 'Programs'],
  ['ops', 'Ops'],
  ['engine', 'Engines'],
  ['tasks', 'Tasks'],
  ['evaluate', 'Judging programs'],
  ['evolve', 'Proposing programs'],
  ['analysis', 'After the search'],
];

/** A long table of data says nothing that its type does not say. */
const MAX_LINES = 60;

function shorten(text) {
  const lines = text.split('\n');
  return lines.length <= MAX_LINES ? text : `${lines.slice(0, 4).join('\n')}\n  // ...\n${lines.at(-1)}`;
}

function entry({ name, about, text, module }) {
  return `\n### ${name}\n\n${about}\n\n\`\`\`typescript\n${shorten(text)}\n\`\`\`\n\n<small>src/${module}</small>\n`;
}

const ORDER = ['function', 'class', 'constant', 'type'];

function sorted(entries) {
  return [...entries].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || (a.name < b.name ? -1 : 1));
}

function section(title, entries) {
  return `\n## ${title}\n${sorted(entries).map(entry).join('')}`;
}

/** What has no comment, by name: the page must not have such entries. */
export function undocumented(root) {
  const all = [...exportsOf(root, 'index.d.ts'), ...exportsOf(root, 'data/index.d.ts')];
  return all.filter(({ about }) => about === '').map(({ name }) => name);
}

/** The page. `root` is the folder of the compiled library. */
export function apiPage(root) {
  const all = exportsOf(root, 'index.d.ts');
  const sections = SECTIONS.map(([folder, title]) =>
    section(
      title,
      all.filter(({ module }) => module.startsWith(`${folder}/`)),
    ),
  );
  const left = all.filter(({ module }) => !SECTIONS.some(([folder]) => module.startsWith(`${folder}/`)));
  if (left.length > 0) throw new Error(`scripts/reference/api.js has no section for ${left[0].module}`);
  const known = new Set(all.map(({ name }) => name));
  const data = exportsOf(root, 'data/index.d.ts').filter(({ name }) => !known.has(name));
  return `${HEAD}${sections.join('')}${section('evozero/data', data)}`;
}
