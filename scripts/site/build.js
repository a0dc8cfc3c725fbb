// Builds the site: every page of the contents, and the files of the repository that they link to. Pages link to each other by relative
// addresses, so that they can be opened from a disk and put below any path. Must not know the command line.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { siteContents } from './contents.js';
import { highlight } from './highlight.js';
import { layoutPage, relativeAddress } from './layout.js';
import { readPage, renderPage } from './markdown.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where a page of the repository is on the site. */
function fileOf(path) {
  if (path === 'README.md') return 'index.html';
  return path
    .replace(/^docs\//, '')
    .replace(/(^|\/)README\.md$/, '$1index.md')
    .replace(/\.md$/, '.html')
    .toLowerCase();
}

function loadSections() {
  return siteContents(root).map(({ title, pages }) => ({
    title,
    pages: pages.map((path) => {
      const markdown = readFileSync(join(root, path), 'utf8');
      const { headings } = readPage(markdown);
      return { path, file: fileOf(path), markdown, headings, title: headings[0]?.text ?? path };
    }),
  }));
}

const HIGHLIGHTED = /\.(ts|js|json|yaml|yml|py|alg)$/;

/** Builds the site into an empty folder. Returns how many pages it has. */
export function buildSite(out) {
  const sections = loadSections();
  const pages = sections.flatMap((section) => section.pages);
  const files = new Map(pages.map(({ path, file }) => [path, file]));
  /** Other files of the repository that pages link to: pictures are copied, texts become pages. */
  const linked = new Set();

  const place = (path) => {
    const folder = path.replace(/\/$/, '');
    if (existsSync(join(root, path)) && statSync(join(root, path)).isDirectory()) {
      // A folder is its first page: the navigation has the others.
      return pages.find((page) => page.path.startsWith(`${folder}/`))?.file;
    }
    if (files.has(path)) return files.get(path);
    if (!existsSync(join(root, path))) return undefined;
    linked.add(path);
    return isPicture(path) ? posix.join('files', path) : posix.join('files', `${path}.html`);
  };

  const write = (file, content) => {
    mkdirSync(dirname(join(out, file)), { recursive: true });
    writeFileSync(join(out, file), content);
  };

  for (const { path, file, markdown, title } of pages) {
    const link = (address) => {
      if (/^[a-z]+:/.test(address) || address.startsWith('#')) return address;
      const [to, anchor] = address.split('#');
      const target = place(posix.join(posix.dirname(path), to));
      if (target === undefined) throw new Error(`${path}: nothing is at ${address}`);
      return relativeAddress(file, target) + (anchor === undefined ? '' : `#${anchor}`);
    };
    write(file, layoutPage({ file, title, content: renderPage(markdown, link), sections }));
  }
  for (const path of linked) {
    if (isPicture(path)) {
      mkdirSync(dirname(join(out, 'files', path)), { recursive: true });
      copyFileSync(join(root, path), join(out, 'files', path));
      continue;
    }
    const language = HIGHLIGHTED.exec(path)?.[1] ?? '';
    const code = highlight(readFileSync(join(root, path), 'utf8'), language);
    const content = `<h1>${path}</h1>\n<pre tabindex="0"><code>${code}</code></pre>`;
    const file = posix.join('files', `${path}.html`);
    write(file, layoutPage({ file, title: path, content, sections }));
  }
  cpSync(join(root, 'scripts/site/site.css'), join(out, 'site.css'));
  return pages.length;
}

function isPicture(path) {
  return /\.(png|svg|jpg)$/.test(path);
}
