// What the pages may import: a page never another one, what they share no page, of src only what runs in a browser, of the server only
// its contract, and few packages. Checked on the parsed imports of a folder of pages with a src beside it.
import { dirname, join, relative, resolve, sep } from 'node:path';
import { importsOf, isNodeOnly, sourceFiles } from './import-rules.js';

/** Folders of src that run in a browser. */
const OF_SRC = ['util', 'wasm', 'ops', 'program', 'engine', 'tasks', 'evaluate', 'evolve', 'experiment', 'analysis'];
/** The contract of the server: types, routes and limits. */
const CONTRACT = /^server\/api(-\w+)?\.ts$/;
const PACKAGES = ['preact', '@preact/signals', 'uplot', 'zod', 'papaparse'];
/** Run when the pages are built, by Node. */
const FOR_BUILD = /(^|\/)(vite\.config|[\w-]+-plugin)\.ts$/;

function pageOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : '';
}

function packageProblem(file: string, specifier: string): string | undefined {
  if (isNodeOnly(specifier)) return `${file} must run in a browser and imports ${specifier}`;
  const isKnown = PACKAGES.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  return isKnown ? undefined : `${file} must not need another package and imports ${specifier}`;
}

function pathProblem(file: string, target: string): string | undefined {
  if (target.startsWith('../src/')) {
    const inSrc = target.slice('../src/'.length);
    const mayAsk = pageOf(file) === 'dashboard' && CONTRACT.test(inSrc);
    return mayAsk || OF_SRC.includes(pageOf(inSrc)) ? undefined : `${file} must not import src/${inSrc}`;
  }
  const [from, to] = [pageOf(file), pageOf(target)];
  return from === to || to === 'shared' ? undefined : `${file} must not import ${target}`;
}

/** Every breach of the rules in the pages below `root`, one line each. */
export function findPageBreaches(root: string): string[] {
  return sourceFiles(root)
    .filter((file) => !FOR_BUILD.test(file))
    .flatMap((file) =>
      importsOf(root, file).map((specifier) => {
        // The address of a file, whose content is data.
        if (specifier.endsWith('?url')) return undefined;
        if (!specifier.startsWith('.')) return packageProblem(file, specifier);
        const target = relative(root, resolve(join(root, dirname(file)), specifier));
        return pathProblem(file, target.split(sep).join('/').replace(/\.js$/, '.ts'));
      }),
    )
    .filter((problem) => problem !== undefined);
}
