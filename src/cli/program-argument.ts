// PROGRAM on the command line: a built-in name, a .alg or .json file, a run directory (its best), or - for standard input.
// Whatever is wrong with it becomes one clear line.
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeSystemError } from '../data/system-error.js';
import type { Loss } from '../engine/engine.js';
import { lossOfTaskSet } from '../experiment/config-loss.js';
import { BUILTIN_NAMES, builtin } from '../program/builtin.js';
import { ProgramJsonError, programFromJson } from '../program/json.js';
import { ProgramTextError } from '../program/lexer.js';
import { type ProgramSource, parseSource } from '../program/parse.js';
import { type MemorySizes, programProblem } from '../program/program.js';
import { RunError } from '../runs/run-error.js';
import { FILES, readConfig } from '../runs/run-files.js';
import { DataError } from '../tasks/data-error.js';
import { nearest } from '../util/nearest.js';
import { printable, shorten } from '../util/quote.js';
import { UserError } from './errors.js';

export const PROGRAM_HELP = 'a built-in name, a .alg or .json file, a run directory, or - for standard input';

export interface NamedProgram extends ProgramSource {
  readonly name: string;
  /** What a built-in program is. */
  readonly about?: string;
}

/** Far above any real program. */
const MAX_BYTES = 1 << 20;

/** Whether PROGRAM is a run directory; one with nothing but a best program is as good as a file. */
export function isRunDirectory(path: string): boolean {
  return builtin(path) === undefined && existsSync(join(path, FILES.config));
}

/** Whether a run has found nothing so far. */
export function isWithoutProgram(directory: string): boolean {
  return !existsSync(join(directory, FILES.best));
}

/** At most MAX_BYTES + 1 bytes of a file, which may also be a pipe or a device. */
function readBytes(descriptor: number): Uint8Array {
  const buffer = new Uint8Array(MAX_BYTES + 1);
  let length = 0;
  while (length < buffer.length) {
    let got: number;
    try {
      got = readSync(descriptor, buffer, length, buffer.length - length, null);
    } catch (error) {
      // Standard input that is a non-blocking pipe may have nothing yet.
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') continue;
      throw error;
    }
    if (got === 0) break;
    length += got;
  }
  return buffer.subarray(0, length);
}

function decode(bytes: Uint8Array, name: string): string {
  if (bytes.length > MAX_BYTES) throw new UserError(`${name}: larger than 1 MiB, which no program is`);
  if (bytes.includes(0)) throw new UserError(`${name}: not a text file`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UserError(`${name}: not a text file in UTF-8`);
  }
}

/** The file behind a path: a run directory stands for its best program. */
function findFile(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    // The paper's programs are meant first.
    const guess = [`paper/${path}`, `gallery/${path}`].find((name) => BUILTIN_NAMES.includes(name));
    const similar = guess ?? nearest(path, BUILTIN_NAMES);
    const hint = similar === undefined ? '`evozero show` lists the built-in ones' : `did you mean ${similar}?`;
    throw new UserError(`${printable(path)}: no such file, and no built-in program of that name; ${hint}`);
  }
  if (!stats.isDirectory()) return path;
  if (!isWithoutProgram(path)) return join(path, FILES.best);
  if (isRunDirectory(path)) throw new UserError(`${printable(path)}: this run has no program yet`);
  throw new UserError(
    `${printable(path)}: a directory without ${FILES.best}; expected a program file or a run directory`,
  );
}

function readText(path: string): { name: string; text: string } {
  if (path === '') throw new UserError('the name of the program is empty');
  try {
    if (path === '-') return { name: 'standard input', text: decode(readBytes(0), 'standard input') };
    const file = findFile(path);
    const name = printable(file);
    const descriptor = openSync(file, 'r');
    try {
      return { name, text: decode(readBytes(descriptor), name) };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${printable(path)}: ${describeSystemError(error)}`);
  }
}

/** What the user can do about an address beyond the memory. */
function memoryHint(message: string): string {
  return message.includes('this memory has') ? '; --memory gives it more' : '';
}

function parse(name: string, text: string, memory: MemorySizes | undefined): ProgramSource {
  try {
    const isJson = name.endsWith('.json') || text.trimStart().startsWith('{');
    return isJson ? programFromJson(JSON.parse(text), memory) : parseSource(text, memory);
  } catch (error) {
    if (error instanceof ProgramTextError) throw new UserError(error.report(name, memoryHint(error.message)));
    if (error instanceof ProgramJsonError) throw new UserError(`${name}: ${error.message}${memoryHint(error.message)}`);
    if (error instanceof SyntaxError)
      throw new UserError(`${name}: not valid JSON: ${shorten(printable(error.message), 120)}`);
    throw error;
  }
}

/** What a configuration says of the programs of its run, as far as it can be read. */
interface RunSettings {
  readonly space?: { readonly memory?: MemorySizes };
  readonly tasks?: { readonly search?: { readonly set?: unknown } };
}

/** Nothing if the argument is no run, or if its configuration is damaged: its best program can be read all the same. */
function settingsOfRun(argument: string): RunSettings {
  if (!isRunDirectory(argument)) return {};
  try {
    return readConfig(argument).config;
  } catch (error) {
    if (error instanceof RunError) return {};
    throw error;
  }
}

/** What the programs of a run are trained for; undefined if the argument is no run, or one that does not say it. */
export function lossOfRun(argument: string): Loss | undefined {
  try {
    return lossOfTaskSet(String(settingsOfRun(argument).tasks?.search?.set));
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}

export function loadProgram(argument: string, memory?: MemorySizes): NamedProgram {
  const known = builtin(argument);
  if (known === undefined) {
    const { name, text } = readText(argument);
    // The programs of a run may address more than usual.
    return { name, ...parse(name, text, memory ?? settingsOfRun(argument).space?.memory) };
  }
  const problem = memory === undefined ? undefined : programProblem(known.program, memory);
  if (problem !== undefined) throw new UserError(`${argument}: ${problem}${memoryHint(problem)}`);
  return known;
}
