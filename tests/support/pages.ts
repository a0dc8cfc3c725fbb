// The Markdown pages of the repository, taken apart: what tests of the documentation look at.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
// @ts-expect-error: a plain JavaScript file without types
import { readPage as readMarkdown } from '../../scripts/site/markdown.js';
import { ROOT } from './cli.js';
import { projectFiles } from './tree-copy.js';

export interface Block {
  /** As the block says, or as it looks; nothing if neither tells. */
  readonly language: string;
  /** What follows the language. */
  readonly words: readonly string[];
  readonly text: string;
}

export interface MarkdownPage {
  /** In the repository. */
  readonly path: string;
  readonly anchors: readonly string[];
  readonly links: readonly string[];
  readonly spans: readonly string[];
  readonly blocks: readonly Block[];
}

export function readPage(path: string): MarkdownPage {
  return { path, ...readMarkdown(readFileSync(join(ROOT, path), 'utf8')) };
}

/** Every Markdown file of the project. */
export function allPages(): MarkdownPage[] {
  return projectFiles()
    .filter((path) => path.endsWith('.md'))
    .map(readPage);
}
