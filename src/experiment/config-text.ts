// Configurations as people write them: YAML or JSON files, `--set` flags, and the text to start from. Every mistake names the
// file, line and column, or the flag. Must not know files, only their text, nor what the fields mean.
import {
  Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { OPS } from '../ops/ops.js';
import { FUNCTION_NAMES } from '../program/program.js';
import { printable, quote, shorten } from '../util/quote.js';
import { type Config, parseConfig } from './config.js';
import { ConfigError, type ConfigIssue, type FieldPath, printPath } from './config-error.js';
import { SEARCH_METHODS } from './config-schema.js';
import { findPreset } from './presets.js';
import { resolvePrograms } from './program-references.js';

/** Mistakes in the text of a configuration: each issue has its place in the file, or its flag. */
export class ConfigTextError extends ConfigError {
  override readonly name = 'ConfigTextError';
}

// --- YAML --------------------------------------------------------------------------------------------------------------

/** Far above any real configuration. */
const MAX_LENGTH = 1 << 20;
const MAX_ALIASES = 100;
const MAX_DEPTH = 100;

const MESSAGE_LENGTH = 200;

interface ParsedText {
  readonly value: unknown;
  readonly root: Node | null;
  readonly lines: LineCounter;
}

/** A mistake in the syntax, at an offset of the text. */
interface SyntaxProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

function isProblem(parsed: ParsedText | SyntaxProblem): parsed is SyntaxProblem {
  return 'message' in parsed;
}

/** What the lexer sends before the text of a scalar, which may look like anything. */
const SCALAR = '\u001f';

/**
 * Whether the text nests deeper than any configuration does, so deep that the parser's recursion could end the process. Looks
 * at tokens only: open brackets, and on each line its indentation and the items that begin there.
 */
function isDeep(text: string): boolean {
  let [brackets, line, isScalar] = [0, 0, false];
  for (const token of new Lexer().lex(text)) {
    if (isScalar || token === SCALAR) {
      isScalar = token === SCALAR && !isScalar;
      continue;
    }
    if (token === '[' || token === '{') brackets++;
    else if (token === ']' || token === '}') brackets--;
    else if (token === '-' || token === '?') line++;
    else if (/^\r?\n$/.test(token)) line = 0;
    else if (line === 0 && /^[ \t]+$/.test(token)) line = token.length;
    if (brackets + line > MAX_DEPTH) return true;
  }
  return false;
}

/** The first key that its map has already. */
function findRepeatedKey(document: Document.Parsed): Node | undefined {
  let repeated: Node | undefined;
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>();
      const pair = items.find(({ key }) => seen.size === seen.add(String(key)).size);
      if (pair === undefined) return undefined;
      repeated = pair.key as Node;
      return visit.BREAK;
    },
  });
  return repeated;
}

/** Plain data from YAML, which JSON is part of: no tags, no aliases that multiply, no keys but strings. */
function parseText(text: string): ParsedText | SyntaxProblem {
  if (text.length > MAX_LENGTH) return { message: 'larger than 1 MiB, which no configuration is', line: 1, column: 1 };
  if (isDeep(text)) return { message: 'nested too deeply', line: 1, column: 1 };
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    resolveKnownTags: false,
    schema: 'core',
    stringKeys: true,
    // Theirs compares every key with every other.
    uniqueKeys: false,
  });
  const [mistake] = [...document.errors, ...document.warnings];
  if (mistake !== undefined) {
    const { line, col } = lines.linePos(mistake.pos[0]);
    const message = mistake.code === 'MULTIPLE_DOCS' ? 'there is more than one document' : mistake.message;
    return { message: shorten(printable(message), MESSAGE_LENGTH), line, column: col };
  }
  const repeated = findRepeatedKey(document);
  if (repeated !== undefined) {
    const { line, col } = lines.linePos(repeated.range?.[0] ?? 0);
    return { message: `there is another field ${quote(String(repeated))} before`, line, column: col };
  }
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }), root: document.contents, lines };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return { message: shorten(printable(error.message), MESSAGE_LENGTH), line: 1, column: 1 };
  }
}

/** Where a field stands: its name, or that of the innermost field around it that is there. */
function findPlace({ root, lines }: ParsedText, path: FieldPath): { line: number; col: number } {
  let [node, place]: [unknown, Node | null] = [root, root];
  for (const key of path) {
    const pair = isMap(node) ? node.items.find((item) => isNode(item.key) && String(item.key) === key) : undefined;
    node = pair === undefined ? (isSeq(node) ? node.items[key as number] : undefined) : pair.value;
    const next = pair === undefined ? node : pair.key;
    if (!isNode(next)) break;
    place = next;
  }
  return lines.linePos(place?.range?.[0] ?? 0);
}

// --- Files -------------------------------------------------------------------------------------------------------------

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of `over` in place of those of `under`; objects field by field, lists whole. */
function merge(under: unknown, over: unknown): unknown {
  if (!isFields(under) || !isFields(over)) return over;
  const merged = Object.entries(over).map(([key, value]) => [
    key,
    Object.hasOwn(under, key) ? merge(under[key], value) : value,
  ]);
  return Object.fromEntries([...Object.entries(under), ...merged]);
}

/** A value that may say which preset it extends, with that preset's fields where it has none. */
function extendPreset(value: unknown): unknown {
  if (!isFields(value) || !Object.hasOwn(value, 'extends')) return value;
  const { extends: preset, ...fields } = value;
  const path = ['extends'];
  if (typeof preset !== 'string') {
    throw new ConfigError([{ path, message: `expected the name of a preset, not ${quote(preset)}` }]);
  }
  try {
    return merge(findPreset(preset), fields);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError([{ path, message: error.message }]);
  }
}

/** Runs `read`; whatever is wrong gets its place, so that the message says where to mend it. */
function placeIssues<T>(read: () => T, place: (issue: ConfigIssue) => string): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [first, ...others] = error.issues.map((issue) => ({ ...issue, place: place(issue) }));
    throw new ConfigTextError([first!, ...others]);
  }
}

/** What reading a configuration needs. */
export interface ReadOptions {
  /** The text of a program's file that the configuration names; throws an error that says why it cannot. */
  readonly readFile: (path: string) => string;
}

/** Reads a configuration from YAML or JSON, with the programs that it names. Throws ConfigTextError. */
export function readConfig(text: string, fileName: string, { readFile }: ReadOptions): Config {
  const name = printable(fileName);
  const parsed = parseText(text);
  if (isProblem(parsed)) {
    const { message, line, column } = parsed;
    throw new ConfigTextError([{ path: [], message, place: `${name}:${line}:${column}` }]);
  }
  const place = ({ path }: ConfigIssue) => {
    const { line, col } = findPlace(parsed, path);
    return [`${name}:${line}:${col}`, ...(path.length === 0 ? [] : [printPath(path)])].join(': ');
  };
  return placeIssues(() => resolvePrograms(parseConfig(extendPreset(parsed.value)), readFile), place);
}

// --- Flags -------------------------------------------------------------------------------------------------------------

interface Setting {
  /** As the user wrote it. */
  readonly flag: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

function readSetting(setting: string): Setting {
  const flag = `--set ${shorten(printable(setting), 80)}`;
  const refuse = (message: string): never => {
    throw new ConfigTextError([{ path: [], message, place: flag }]);
  };
  const [, field, text] =
    /^([^=]+)=(.*)$/s.exec(setting) ?? refuse('expected FIELD=VALUE, such as search.population=100');
  const parsed = parseText(text!);
  return isProblem(parsed) ? refuse(parsed.message) : { flag, path: field!.split('.'), value: parsed.value };
}

/** A copy of `value` with one field set; objects on the way there are made where there are none. */
function setField(value: unknown, { flag, path, value: set }: Setting, depth = 0): unknown {
  const key = path[depth];
  if (key === undefined) return set;
  const fields = value ?? {};
  if (!isFields(fields)) {
    const message = `${printPath(path.slice(0, depth))} has no fields`;
    throw new ConfigTextError([{ path: path.slice(0, depth), message, place: flag }]);
  }
  const inner = Object.hasOwn(fields, key) ? fields[key] : undefined;
  // A computed name, so that even __proto__ is a field like any other: an unknown one.
  return { ...fields, [key]: setField(inner, { flag, path, value: set }, depth + 1) };
}

function startsWith(path: FieldPath, start: FieldPath): boolean {
  return start.every((key, k) => path[k] === key);
}

/** A configuration with fields set as `--set search.population=100` says. Throws ConfigTextError. */
export function applyOverrides(value: unknown, settings: readonly string[]): Config {
  const read = settings.map(readSetting);
  const place = ({ path }: ConfigIssue) => {
    const blamed = read.findLast((setting) => startsWith(setting.path, path) || startsWith(path, setting.path));
    if (blamed === undefined || path.length === 0) return printPath(path);
    return path.length > blamed.path.length ? `${blamed.flag}: ${printPath(path)}` : blamed.flag;
  };
  const overridden = read.reduce<unknown>((fields, setting) => setField(fields, setting), value);
  return placeIssues(() => parseConfig(overridden), place);
}

// --- Printing ----------------------------------------------------------------------------------------------------------

const COMMENTS: Readonly<Partial<Record<keyof Config, string>>> = {
  seed: 'draws the tasks and everything random of the search',
  precision: 'f64, or f32: faster and less exact',
  space:
    'the programs that are searched: addresses, and for each function its ops (names, numbers or ranges) and sizes',
  search: `method ${SEARCH_METHODS.join(' or ')}; mutations paper, released, or weights; initial: empty, random or programs, in turn`,
  islands: 'populations that exchange programs; count null: one for each thread that searches; migration null: none',
  tasks: 'what fitness is measured on: to search, to select the best of an experiment, and for the final score',
  evaluation: 'fitness mean or median over tasks; budget: times the cost of a plain network; null switches a part off',
  experiment: 'when each experiment ends; noProgress: algorithms without a new best',
  select: 'when the best is evaluated on the tasks to select on: at every new-best, or at the end of each experiment',
  stop: 'when the run ends; fitness: of the best on the tasks to select on',
};

/** Fewer ops are printed by name. */
const MANY_OPS = 9;

/** `0-55`, `60`, ... for a sorted list of ops. */
function printRanges(ops: readonly string[]): (string | number)[] {
  const runs: [number, number][] = [];
  for (const { id } of OPS.filter(({ name }) => ops.includes(name))) {
    const run = runs.at(-1);
    if (run?.[1] === id - 1) run[1] = id;
    else runs.push([id, id]);
  }
  return runs.map(([first, last]) => (first === last ? first : `${first}-${last}`));
}

/** The configuration as YAML that reads back as the same one. */
export function printConfig(config: Config): string {
  const document = new Document(config);
  for (const name of FUNCTION_NAMES) {
    const { ops } = config.space[name];
    if (ops.length >= MANY_OPS) document.setIn(['space', name, 'ops'], document.createNode(printRanges(ops)));
  }
  visit(document, {
    // What holds nothing but words and numbers stands on one line, below the sections.
    Collection(_, node, path) {
      const isInner = path.length > 3 || isSeq(node);
      node.flow = isInner && node.items.every((item) => !isCollection(isPair(item) ? item.value : item));
    },
    Pair(_, { key }, path) {
      const comment = path.length === 2 && isNode(key) ? COMMENTS[String(key) as keyof Config] : undefined;
      if (comment === undefined || !isNode(key)) return;
      key.commentBefore = ` ${comment}`;
      key.spaceBefore = true;
    },
  });
  return document.toString({ lineWidth: 0, blockQuote: 'literal', flowCollectionPadding: false });
}
