// Reads programs in the paper's notation. Every instruction form comes from the op table. Every mistake becomes a
// ProgramTextError that says what was expected; nothing else is thrown, and no text is ever executed.
import { OPS } from '../ops/ops.js';
import type { FormToken, Op, OperandType } from '../ops/types.js';
import { nearest } from '../util/nearest.js';
import { shorten } from '../util/quote.js';
import { ProgramTextError, readTokens, type Token } from './lexer.js';
import { functionParameters, functionTitle } from './print.js';
import {
  addressProblem,
  DEFAULT_MEMORY,
  FUNCTION_NAMES,
  type FunctionName,
  type Instruction,
  LABEL_KINDS,
  type LabelKind,
  MAX_INDEX,
  type MemorySizes,
  makeInstruction,
  type Program,
  TYPE_NAMES,
} from './program.js';

const ADDRESS = /^([svm])(\d+)$/;
const IDENTIFIER = /^[A-Za-z_]\w*$/;

interface Line {
  readonly number: number;
  readonly text: string;
  readonly tokens: readonly Token[];
}

function fail(message: string, line: Line, token: Token): never {
  throw new ProgramTextError(message, line.number, token.column, line.text);
}

function show(token: Token): string {
  return token.kind === 'end' ? 'the end of the line' : shorten(token.text);
}

/** What was read at the placeholders of a form. */
interface Captured {
  readonly addresses: { readonly type: OperandType; readonly address: number; readonly token: Token }[];
  readonly indices: number[];
  readonly constants: number[];
}

type Match =
  | { readonly matched: true; readonly captured: Captured }
  | { readonly matched: false; readonly at: number; readonly expected: FormToken | 'end' };

/** Tries one form on a line's tokens; a mismatch says where and what the form wanted there. */
function matchForm(form: readonly FormToken[], line: Line): Match {
  const { tokens } = line;
  const captured: Captured = { addresses: [], indices: [], constants: [] };
  let at = 0;
  for (const expected of form) {
    const token = tokens[at]!;
    const mismatch: Match = { matched: false, at, expected };
    switch (expected.kind) {
      case 'operand': {
        const address = ADDRESS.exec(token.text);
        if (address === null || address[1] !== expected.type) return mismatch;
        captured.addresses.push({ type: expected.type, address: Number(address[2]), token });
        break;
      }
      case 'index': {
        if (token.kind !== 'number' || !/^\d+$/.test(token.text)) return mismatch;
        const index = Number(token.text);
        if (index > MAX_INDEX) fail(`element index ${show(token)} is too large`, line, token);
        captured.indices.push(index);
        break;
      }
      case 'constant': {
        const sign = token.text === '-' ? -1 : 1;
        if (token.text === '-' || token.text === '+') at++;
        const number = tokens[at]!;
        if (number.kind !== 'number') return { ...mismatch, at };
        captured.constants.push(sign * Number(number.text));
        break;
      }
      case 'literal':
        if (token.kind === 'number' ? Number(token.text) !== Number(expected.text) : token.text !== expected.text) {
          return mismatch;
        }
        break;
    }
    at++;
  }
  return tokens[at]!.kind === 'end' ? { matched: true, captured } : { matched: false, at, expected: 'end' };
}

/** Every function name in the table, with the ops that are written with it. */
const OPS_BY_WORD: ReadonlyMap<string, readonly Op[]> = (() => {
  const byWord = new Map<string, Op[]>();
  for (const op of OPS) {
    for (const form of op.forms) {
      const call = form.findIndex((token) => token.kind === 'literal' && token.text === '(');
      const word = form[call < 0 ? 0 : call - 1];
      if (word?.kind !== 'literal' || !IDENTIFIER.test(word.text)) continue;
      const ops = byWord.get(word.text) ?? [];
      if (!ops.includes(op)) byWord.set(word.text, [...ops, op]);
    }
  }
  return byWord;
})();

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}

function describe(expected: FormToken | 'end'): string {
  if (expected === 'end') return 'the end of the line';
  switch (expected.kind) {
    case 'operand':
      return `a ${TYPE_NAMES[expected.type].one} address`;
    case 'index':
      return 'an element index';
    case 'constant':
      return 'a number';
    case 'literal':
      return IDENTIFIER.test(expected.text) && OPS_BY_WORD.has(expected.text) ? 'an op' : `'${expected.text}'`;
  }
}

/** Explains the mismatch that came furthest, in the words of what the user probably meant. */
function explain(line: Line, at: number, expected: readonly (FormToken | 'end')[]): never {
  const token = line.tokens[at]!;
  const wanted = [...new Set(expected.map(describe))];
  if (at === 0) fail(`expected an address to assign to (such as s2, v1 or m0), found ${show(token)}`, line, token);
  if (token.kind === 'name' && !ADDRESS.test(token.text)) {
    if (/^(nan|inf|infinity)$/i.test(token.text)) fail('constants must be finite numbers', line, token);
    const ops = OPS_BY_WORD.get(token.text);
    if (ops !== undefined) {
      fail(`no op has this form; with ${token.text} there is ${list(ops.map((op) => `'${op.text}'`))}`, line, token);
    }
    if (wanted.includes('an op')) {
      const guess = nearest(token.text, OPS_BY_WORD.keys());
      fail(`unknown op '${show(token)}'${guess === undefined ? '' : `; did you mean '${guess}'?`}`, line, token);
    }
  }
  fail(`expected ${list(wanted)}, found ${show(token)}`, line, token);
}

interface Candidate {
  readonly op: Op;
  readonly form: readonly FormToken[];
}

/** The forms that assign to an address of a type; under '', all forms. */
const FORMS: ReadonlyMap<string, readonly Candidate[]> = (() => {
  const all = OPS.flatMap((op) => op.forms.map((form) => ({ op, form })));
  return new Map([
    ['', all],
    ...['s', 'v', 'm'].map((type) => [type, all.filter(({ op }) => op.output === type)] as const),
  ]);
})();

function readInstruction(line: Line, memory: MemorySizes): Instruction {
  let furthest = -1;
  let expected: (FormToken | 'end')[] = [];
  for (const { op, form } of FORMS.get(ADDRESS.exec(line.tokens[0]!.text)?.[1] ?? '')!) {
    const match = matchForm(form, line);
    if (match.matched) return finish(op, match.captured, line, memory);
    if (match.at > furthest) {
      furthest = match.at;
      expected = [];
    }
    if (match.at === furthest) expected.push(match.expected);
  }
  explain(line, furthest, expected);
}

function finish(op: Op, { addresses, indices, constants }: Captured, line: Line, memory: MemorySizes): Instruction {
  for (const { type, address, token } of addresses) {
    const problem = addressProblem(type, address, memory, shorten(token.text));
    if (problem !== undefined) fail(problem, line, token);
  }
  if (!constants.every(Number.isFinite)) {
    const tooLarge = line.tokens.find((token) => token.kind === 'number' && !Number.isFinite(Number(token.text)))!;
    fail(`${show(tooLarge)} is too large: constants must be finite numbers`, line, tooLarge);
  }
  const [out, ...inputs] = addresses.map(({ address }) => address);
  return makeInstruction({ op: op.id, inputs, ...(out === undefined ? {} : { out }), indices, constants });
}

interface Header {
  readonly name: FunctionName;
  readonly labels: LabelKind;
}

/** The label kind whose parameters these are, if any: `v0, s0` or, for vectors, `v0, v1` of Learn. */
function labelsOf(name: FunctionName, parameters: string): LabelKind | undefined {
  return LABEL_KINDS.find((labels) => functionParameters(name, labels) === parameters);
}

/** `def Learn(v0, s0):`, where the parameters, or they and their parentheses, may be missing. */
function readHeader(line: Line): Header {
  const { tokens } = line;
  let at = 1;
  const take = (text: string) => {
    if (tokens[at]!.text !== text) fail(`expected '${text}', found ${show(tokens[at]!)}`, line, tokens[at]!);
    at++;
  };
  const title = tokens[at++]!;
  const titles = list(FUNCTION_NAMES.map(functionTitle));
  if (title.kind === 'end') fail(`expected ${titles}, found ${show(title)}`, line, title);
  const name = FUNCTION_NAMES.find((known) => known === title.text.toLowerCase());
  if (name === undefined) fail(`unknown function '${show(title)}': expected ${titles}`, line, title);
  let labels: LabelKind | undefined = 'scalar';
  if (tokens[at]!.text === '(') {
    const first = tokens[++at]!;
    const parameters: string[] = [];
    while (tokens[at]!.text !== ')') {
      if (parameters.length > 0) take(',');
      if (!ADDRESS.test(tokens[at]!.text)) fail(`expected an address, found ${show(tokens[at]!)}`, line, tokens[at]!);
      parameters.push(tokens[at++]!.text);
    }
    at++;
    if (parameters.length > 0) labels = labelsOf(name, parameters.join(', '));
    if (labels === undefined) {
      const given = [...new Set(LABEL_KINDS.map((kind) => `(${functionParameters(name, kind)})`))];
      fail(`${functionTitle(name)} is given ${list(given)}`, line, first);
    }
  }
  take(':');
  if (tokens[at]!.kind !== 'end') fail(`expected the end of the line, found ${show(tokens[at]!)}`, line, tokens[at]!);
  return { name, labels };
}

/** A program, and what its text says about labels. */
export interface ProgramSource {
  readonly program: Program;
  /** 'vector' where the text says that Learn is given the label vector: `def Learn(v0, v1):`. */
  readonly labels: LabelKind;
}

/** Reads a program and what its text says about its labels. */
export function parseSource(text: string, memory: MemorySizes = DEFAULT_MEMORY): ProgramSource {
  const functions: Partial<Record<FunctionName, Instruction[]>> = {};
  let labels: LabelKind = 'scalar';
  let body: Instruction[] | undefined;
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  for (const [k, lineText] of lines.entries()) {
    const line: Line = { number: k + 1, text: lineText, tokens: readTokens(lineText, k + 1) };
    const first = line.tokens[0]!;
    if (first.kind === 'end') continue;
    if (first.text === 'def') {
      const header = readHeader(line);
      const { name } = header;
      if (functions[name] !== undefined) fail(`function ${functionTitle(name)} is defined twice`, line, first);
      if (name === 'learn') labels = header.labels;
      body = functions[name] = [];
    } else if (body === undefined) {
      fail('expected a function first, such as def Setup():', line, first);
    } else {
      body.push(readInstruction(line, memory));
    }
  }
  const { setup, predict, learn } = functions;
  if (setup === undefined || predict === undefined || learn === undefined) {
    const missing = FUNCTION_NAMES.filter((name) => functions[name] === undefined).map(functionTitle);
    const message = `missing function ${missing.join(', ')}: a program has def Setup():, def Predict(): and def Learn():`;
    throw new ProgramTextError(message, lines.length, 1, '');
  }
  return { program: { setup, predict, learn }, labels };
}

/** Reads a program in the paper's notation. Throws ProgramTextError. */
export function parseProgram(text: string, memory?: MemorySizes): Program {
  return parseSource(text, memory).program;
}
