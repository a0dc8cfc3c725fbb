// One page of the site around its content: the head, the navigation, the way to the next page. No scripts. Must not know Markdown.
import { posix } from 'node:path';
import { escapeHtml } from './highlight.js';

/** From one file of the site to another, so that the site works below any path and from a disk. */
export function relativeAddress(from, to) {
  return posix.relative(posix.dirname(from), to) || posix.basename(to);
}

function navigation(sections, here) {
  const item = ({ title, file, headings }) => {
    const isHere = file === here;
    const link = `<a href="${relativeAddress(here, file)}"${isHere ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`;
    const parts = isHere ? headings.filter(({ level }) => level === 2) : [];
    const inner = parts.map(({ anchor, text }) => `<li><a href="#${anchor}">${escapeHtml(text)}</a></li>`).join('');
    return `<li>${link}${inner === '' ? '' : `<ul>${inner}</ul>`}</li>`;
  };
  return sections
    .map(({ title, pages }) => `<h2>${escapeHtml(title)}</h2>\n<ul>${pages.map(item).join('\n')}</ul>`)
    .join('\n');
}

function neighbours(sections, here) {
  const pages = sections.flatMap((section) => section.pages);
  const at = pages.findIndex(({ file }) => file === here);
  if (at < 0) return '';
  const link = (page, word) =>
    page === undefined
      ? '<span></span>'
      : `<a href="${relativeAddress(here, page.file)}"><small>${word}</small> ${escapeHtml(page.title)}</a>`;
  return `<p class="neighbours">${link(pages[at - 1], 'before')}${link(pages[at + 1], 'next')}</p>`;
}

/** A whole page: `file` is its place in the site, `content` its HTML. */
export function layoutPage({ file, title, content, sections }) {
  const to = (path) => relativeAddress(file, path);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title === 'evozero' ? title : `${title} · evozero`)}</title>
<link rel="stylesheet" href="${to('site.css')}">
</head>
<body>
<header><a class="home" href="${to('index.html')}">evozero</a> <a class="menu" href="#contents">Contents</a></header>
<div class="columns">
<main>
${content}
${neighbours(sections, file)}
</main>
<nav id="contents" aria-label="Pages">
${navigation(sections, file)}
</nav>
</div>
</body>
</html>
`;
}
