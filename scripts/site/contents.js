// Which pages the site has, in the order of its navigation. A page that is not listed makes the build fail, so that none is lost.
// Must not know how pages are made.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Paths in the repository; a folder stands for all Markdown files in it, by name. */
const SECTIONS = [
  {
    title: 'Begin',
    pages: ['README.md', 'docs/troubleshooting.md', 'docs/glossary.md', 'docs/architecture.md', 'examples/README.md'],
  },
  {
    title: 'Tutorials',
    pages: [
      'docs/tutorials/first-search.md',
      'docs/tutorials/your-data.md',
      'docs/tutorials/interpret.md',
      'docs/tutorials/library-node.md',
      'docs/tutorials/library-browser.md',
      'docs/tutorials/distributed.md',
      'docs/tutorials/new-op.md',
      'docs/tutorials/new-task-family.md',
    ],
  },
  {
    title: 'Search',
    pages: [
      'docs/search.md',
      'docs/discovery.md',
      'docs/tasks.md',
      'docs/engine.md',
      'docs/distributed.md',
      'docs/scaling.md',
    ],
  },
  {
    title: 'After the search',
    pages: [
      'docs/tuning.md',
      'docs/explain.md',
      'docs/interpret.md',
      'docs/motifs.md',
      'docs/reports.md',
      'docs/export.md',
      'docs/fit.md',
    ],
  },
  { title: 'Pages', pages: ['docs/dashboard.md', 'docs/playground.md'] },
  {
    title: 'Results',
    pages: ['docs/results.md', 'docs/reproduce.md', 'docs/final.md', 'docs/benchmarks.md', 'docs/fidelity.md'],
  },
  { title: 'Reference', pages: ['docs/ops.md', 'docs/reference'] },
  {
    title: 'Working on it',
    pages: ['CONTRIBUTING.md', 'CHANGELOG.md', 'docs/dependencies.md', 'docs/security.md', 'docs/reliability.md'],
  },
  { title: 'Decisions', pages: ['docs/decisions'] },
];

function markdownFiles(root, folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md'))
    .sort();
}

/** The sections with the paths of their pages. Throws if a page of docs/ is in none, or one is listed that does not exist. */
export function siteContents(root) {
  const sections = SECTIONS.map(({ title, pages }) => ({
    title,
    pages: pages.flatMap((page) => (page.endsWith('.md') ? [page] : markdownFiles(root, page))),
  }));
  const listed = sections.flatMap(({ pages }) => pages);
  const known = markdownFiles(root, 'docs');
  const forgotten = known.filter((path) => !listed.includes(path));
  if (forgotten.length > 0) throw new Error(`scripts/site/contents.js does not list ${forgotten.join(', ')}`);
  const missing = listed.filter((path) => path.startsWith('docs/') && !known.includes(path));
  if (missing.length > 0) throw new Error(`scripts/site/contents.js lists ${missing.join(', ')}, which is not there`);
  return sections;
}
