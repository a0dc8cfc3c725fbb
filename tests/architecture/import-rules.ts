// Who may import whom (docs/architecture.md), checked on the parsed imports of a source tree: no edge that is not
// allowed, no cycle between files, and nothing that only Node has in the folders that must run in a browser.
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

const SEARCH_PARTS = ['util', 'wasm', 'ops', 'program', 'engine', 'tasks', 'data', 'evaluate', 'evolve'];
const LIBRARY = [
  ...SEARCH_PARTS,
  'experiment',
  'pages',
  'runs',
  'islands',
  'analysis',
  'threads',
  'judges',
  'models',
  'reports',
];

/** What each folder may import, itself included always. Files directly in src/ may import everything but commands. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  util: [],
  wasm: [],
  ops: ['util'],
  program: ['util', 'wasm', 'ops'],
  engine: ['util', 'wasm', 'ops', 'program'],
  tasks: ['util', 'wasm', 'ops', 'program', 'engine'],
  data: ['util', 'ops', 'program', 'engine', 'tasks'],
  evaluate: ['util', 'ops', 'program', 'engine', 'tasks'],
  evolve: ['util', 'ops', 'program'],
  experiment: SEARCH_PARTS,
  pages: [...SEARCH_PARTS, 'experiment'],
  runs: [...SEARCH_PARTS, 'experiment', 'pages'],
  threads: ['wasm', 'engine'],
  islands: [...SEARCH_PARTS, 'experiment', 'runs', 'threads'],
  analysis: [...SEARCH_PARTS, 'experiment'],
  models: [...SEARCH_PARTS, 'experiment', 'analysis'],
  reports: [...SEARCH_PARTS, 'experiment', 'pages', 'runs', 'analysis'],
  judges: [...SEARCH_PARTS, 'experiment', 'analysis', 'threads'],
  bench: [...SEARCH_PARTS, 'experiment', 'islands', 'analysis', 'server'],
  reproduce: ['util', 'ops', 'program', 'data', 'experiment', 'pages', 'runs', 'analysis', 'reports'],
  server: LIBRARY,
  cli: [...LIBRARY, 'reproduce', 'server', 'bench'],
  '': LIBRARY,
};

/** The whole search must run in a browser worker, without any package. */
const BROWSER_FOLDERS = ['util', 'wasm', 'ops', 'program', 'engine', 'tasks', 'evaluate', 'evolve'];

/** The only file that may know Redis. */
const REDIS_FILE = 'islands/redis.ts';
const REDIS_PACKAGES = ['ioredis', 'bullmq'];

export function sourceFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && !file.endsWith('.d.ts'))
    .map((file) => file.split(sep).join('/'))
    .sort();
}

export function importsOf(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : '';
}

export function isNodeOnly(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

function packageProblem(file: string, specifier: string): string | undefined {
  const inBrowser = BROWSER_FOLDERS.includes(folderOf(file));
  if (inBrowser && isNodeOnly(specifier)) return `${file} must run in a browser and imports ${specifier}`;
  if (inBrowser) return `${file} must not need any package and imports ${specifier}`;
  const name = REDIS_PACKAGES.find((redis) => specifier === redis || specifier.startsWith(`${redis}/`));
  if (name !== undefined && file !== REDIS_FILE) return `${file} imports ${name}, which only ${REDIS_FILE} may`;
  return undefined;
}

/** A path of files from one to itself, if there is one. */
function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of edges.get(file) ?? []) {
      const cycle = visit(next, [...path, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of edges.keys()) {
    const cycle = visit(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** Every breach of the rules in the tree below `root`, one line each. */
export function findBreaches(root: string): string[] {
  const breaches: string[] = [];
  const edges = new Map<string, string[]>();
  for (const file of sourceFiles(root)) {
    const targets: string[] = [];
    edges.set(file, targets);
    for (const specifier of importsOf(root, file)) {
      if (!specifier.startsWith('.')) {
        const problem = packageProblem(file, specifier);
        if (problem !== undefined) breaches.push(problem);
        continue;
      }
      const target = relative(root, resolve(root, dirname(file), specifier))
        .split(sep)
        .join('/')
        .replace(/\.js$/, '.ts');
      targets.push(target);
      const [from, to] = [folderOf(file), folderOf(target)];
      if (from !== to && !MAY_IMPORT[from]?.includes(to)) breaches.push(`${file} must not import ${target}`);
    }
  }
  const cycle = findCycle(edges);
  if (cycle !== undefined) breaches.push(`cycle: ${cycle.join(' -> ')}`);
  return breaches;
}
