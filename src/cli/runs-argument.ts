// RUN... on the command line: run directories, folders of them, program files and built-in names, each of which counts as one run.
// Must not know what runs are compared for.
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeSystemError } from '../data/system-error.js';
import type { Loss } from '../engine/engine.js';
import { fittingLoss } from '../experiment/config-loss.js';
import { builtin } from '../program/builtin.js';
import type { ProgramSource } from '../program/parse.js';
import type { MemorySizes } from '../program/program.js';
import { FILES } from '../runs/run-files.js';
import { printable } from '../util/quote.js';
import { UserError } from './errors.js';
import { isRunDirectory, isWithoutProgram, loadProgram, lossOfRun } from './program-argument.js';

export const RUNS_HELP = 'run directories, folders of run directories, .alg or .json files, built-in names';

export interface GivenRun {
  readonly name: string;
  /** Undefined if the run has found nothing. */
  readonly source: ProgramSource | undefined;
  /** What its program is trained for; undefined where nothing says so, as for a program in a file. */
  readonly loss: Loss | undefined;
}

/** Programs may address whatever their searches gave them; which program needs how much, engines see themselves. */
const ANY_ADDRESS: MemorySizes = { scalars: 1000, vectors: 1000, matrices: 1000 };

function isRun(path: string): boolean {
  return isRunDirectory(path) || !isWithoutProgram(path);
}

function isFolder(path: string): boolean {
  return builtin(path) === undefined && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

/** The runs in a folder, in the order of their names, `run-2` before `run-10`. */
function listRuns(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    throw new UserError(`${printable(folder)}: ${describeSystemError(error)}`);
  }
  const runs = names.map((name) => join(folder, name)).filter((path) => isFolder(path) && isRun(path));
  if (runs.length > 0) return runs.sort(new Intl.Collator('en', { numeric: true }).compare);
  throw new UserError(`${printable(folder)}: neither a run directory nor a folder of them (no ${FILES.config} in it)`);
}

function loadRun(path: string): GivenRun {
  if (isRunDirectory(path) && isWithoutProgram(path)) {
    return { name: path, source: undefined, loss: undefined };
  }
  const { program, labels } = loadProgram(path, ANY_ADDRESS);
  return { name: path, source: { program, labels }, loss: fittingLoss(lossOfRun(path), labels) };
}

/** The best program of every run. The same run twice would count twice, which is a mistake. */
export function loadRuns(paths: readonly string[]): GivenRun[] {
  const all = paths.flatMap((path) => (isFolder(path) && !isRun(path) ? listRuns(path) : [path]));
  const places = all.map((path) => (builtin(path) === undefined ? resolve(path) : path));
  const twice = all.find((_, k) => places.indexOf(places[k]!) !== k);
  if (twice !== undefined) throw new UserError(`${printable(twice)}: given twice`);
  return all.map(loadRun);
}
