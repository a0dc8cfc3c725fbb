// docs/reference/api.md: everything that the library exports, from its compiled declarations and their comments. Must not know the folders of
// src but for what they are called.
import { anchorMaker } from '../site/markdown.js';
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
  ['wasm', 'Memory'],
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
  return `\n### ${name}\n\n${about}\n\n\`\`\`typescript\n${shorten(text)}\n\`\`\`\n\nIn [src/${module}](../../src/${module}).\n`;
}

const ORDER = ['function', 'class', 'constant', 'type'];

function sorted(entries) {
  return [...entries].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || (a.name < b.name ? -1 : 1));
}

function section({ title, entries }, anchorOf) {
  const links = entries.map(({ name }) => `[${name}](#${anchorOf(name)})`).join(', ');
  return `\n## ${title}\n\n${links}\n${entries.map(entry).join('')}`;
}

const isIn = ({ module }, folder) => module.startsWith(`${folder}/`);

/** What has no comment, by name: the page must not have such entries. */
export function undocumented(root) {
  const all = [...exportsOf(root, 'index.d.ts'), ...exportsOf(root, 'data/index.d.ts')];
  return all.filter(({ about }) => about === '').map(({ name }) => name);
}

/** The page. `root` is the folder of the compiled library. */
export function apiPage(root) {
  const all = exportsOf(root, 'index.d.ts');
  const left = all.filter((each) => !SECTIONS.some(([folder]) => isIn(each, folder)));
  if (left.length > 0) throw new Error(`scripts/reference/api.js has no section for ${left[0].module}`);
  const known = new Set(all.map(({ name }) => name));
  const data = exportsOf(root, 'data/index.d.ts').filter(({ name }) => !known.has(name));
  const sections = [
    ...SECTIONS.map(([folder, title]) => ({ title, entries: sorted(all.filter((each) => isIn(each, folder))) })),
    { title: 'evozero/data', entries: sorted(data) },
  ];
  const headings = sections.flatMap(({ title, entries }) => [title, ...entries.map(({ name }) => name)]);
  // Names that differ only in capital letters get numbers, in the order in which they appear.
  const makeAnchor = anchorMaker();
  const byHeading = new Map(['The library', ...headings].map((heading) => [heading, makeAnchor(heading)]));
  return HEAD + sections.map((each) => section(each, (name) => byHeading.get(name))).join('');
}
