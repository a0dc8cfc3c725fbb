// Programs in a configuration: the name of a built-in one, a text, or a file, which becomes a text so that a configuration is
// whole. Must not know how files are read.
import { BUILTIN_NAMES, builtin } from '../program/builtin.js';
import { MAX_CODE_INDEX } from '../program/flat/code-store.js';
import { programFromJson } from '../program/json.js';
import { ProgramTextError } from '../program/lexer.js';
import { type ProgramSource, parseSource } from '../program/parse.js';
import { printProgram } from '../program/print.js';
import {
  FUNCTION_NAMES,
  indexProblem,
  type LabelKind,
  type MemorySizes,
  type Program,
  programProblem,
} from '../program/program.js';
import { printable, quote } from '../util/quote.js';
import type { Config } from './config.js';
import { ConfigError, type ConfigIssue, type FieldPath, suggest, throwIssues } from './config-error.js';
import { labelsOf } from './config-loss.js';

function refuse(message: string): never {
  throw new ConfigError([{ path: [], message }]);
}

/** Tells the text of a program from a name or a path. */
export const PROGRAM_TEXT = /^\s*def\s/m;
const PROGRAM_PATH = /\.(alg|json)$/;
const LABEL_WORDS: Readonly<Record<LabelKind, string>> = { scalar: 'a scalar label', vector: 'a label vector' };

function readText(text: string, memory: MemorySizes): ProgramSource {
  try {
    return parseSource(text, memory);
  } catch (error) {
    if (error instanceof ProgramTextError) refuse(`line ${error.line}, column ${error.column}: ${error.message}`);
    throw error;
  }
}

/** The program that a reference means: the name of a built-in one, or a text. Throws ConfigError. */
export function readProgram(reference: string, memory: MemorySizes, labels?: LabelKind): Program {
  const source = PROGRAM_TEXT.test(reference) ? readText(reference, memory) : builtin(reference);
  if (source === undefined) {
    refuse(`there is no built-in program ${quote(reference)}${suggest(reference, BUILTIN_NAMES)}`);
  }
  const problem = programProblem(source.program, memory) ?? indexProblem(source.program, MAX_CODE_INDEX + 1);
  if (problem !== undefined) refuse(problem);
  if (labels !== undefined && source.labels !== labels) {
    refuse(`learns from ${LABEL_WORDS[source.labels]}, and the tasks have ${LABEL_WORDS[labels]}`);
  }
  return source.program;
}

/** The text of the program in a file. */
function readProgramFile(path: string, memory: MemorySizes, readFile: (path: string) => string): string {
  try {
    const text = readFile(path);
    if (!path.endsWith('.json')) {
      readText(text, memory);
      return text;
    }
    const { program, labels } = programFromJson(JSON.parse(text), memory);
    return printProgram(program, labels);
  } catch (error) {
    // What cannot be read, is no JSON or no program: whatever it is, the file is to blame.
    return refuse(`${printable(path)}: ${printable(error instanceof Error ? error.message : String(error))}`);
  }
}

/**
 * The configuration with every path of a program replaced by the program's text, so that it is whole, and every program
 * checked. `readFile` throws an error whose message says why it cannot. Throws ConfigError.
 */
export function resolvePrograms(config: Config, readFile: (path: string) => string): Config {
  const { space, search } = config;
  const issues: ConfigIssue[] = [];
  const resolve = (reference: string, path: FieldPath, check: (program: Program) => void): string => {
    try {
      const isPath = PROGRAM_PATH.test(reference) && !PROGRAM_TEXT.test(reference);
      const whole = isPath ? readProgramFile(reference, space.memory, readFile) : reference;
      check(readProgram(whole, space.memory, labelsOf(config.tasks.search.set)));
      return whole;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      issues.push(...error.issues.map(({ message }) => ({ path, message })));
      return reference;
    }
  };
  const checkSizes = (program: Program) => {
    for (const name of FUNCTION_NAMES) {
      const [size, { max, frozen }] = [program[name].length, space[name]];
      if (!frozen && size > max) refuse(`its ${name} has ${size} instructions, and space.${name}.max is ${max}`);
    }
  };
  const base = space.base === undefined ? {} : { base: resolve(space.base, ['space', 'base'], () => {}) };
  const initial = search.initial.map((reference, k) =>
    reference === 'empty' || reference === 'random'
      ? reference
      : resolve(reference, ['search', 'initial', k], checkSizes),
  );
  throwIssues(issues);
  return { ...config, space: { ...space, ...base }, search: { ...search, initial } };
}
