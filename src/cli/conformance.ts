// `evozero conformance`: compares every engine with vectors made by the C++ original.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describeSystemError } from '../data/system-error.js';
import { type Case, checkCase, readVectors, TOLERANCE, VectorError } from '../engine/conformance.js';
import type { Engine } from '../engine/engine.js';
import { ENGINES } from '../engine/engines.js';
import { Failure, UserError } from './errors.js';
import { colors, count, print, printJson } from './output.js';

type FileCase = Case & { readonly file: string };

function readDirectory(directory: string): FileCase[] {
  const attempt = <T>(path: string, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw new UserError(`${path}: ${error instanceof VectorError ? error.message : describeSystemError(error)}`);
    }
  };
  const files = attempt(directory, () =>
    readdirSync(directory)
      .filter((name) => name.endsWith('.jsonl'))
      .sort(),
  );
  const cases = files.flatMap((file) => {
    const path = join(directory, file);
    return attempt(path, () => readVectors(readFileSync(path, 'utf8')).map((c) => ({ ...c, file })));
  });
  if (cases.length === 0) throw new UserError(`${directory}: no ops or programs in files ending in .jsonl here`);
  return cases;
}

interface Report {
  readonly engine: string;
  readonly ops: { readonly cases: number; readonly failed: number };
  readonly programs: { readonly cases: number; readonly failed: number };
  readonly maxRelativeError: number;
  readonly failures: readonly { readonly file: string; readonly line: number; readonly relativeError: number }[];
}

function check(engine: Engine, cases: readonly FileCase[]): Report {
  const results = cases.map((c) => ({ ...c, relativeError: checkCase(engine, c) }));
  const tally = (kind: Case['kind']) => {
    const ofKind = results.filter((r) => r.kind === kind);
    return { cases: ofKind.length, failed: ofKind.filter((r) => !(r.relativeError <= TOLERANCE)).length };
  };
  return {
    engine: engine.name,
    ops: tally('op'),
    programs: tally('program'),
    maxRelativeError: results.reduce((largest, r) => Math.max(largest, r.relativeError), 0),
    failures: results
      .filter((r) => !(r.relativeError <= TOLERANCE))
      .map(({ file, line, relativeError }) => ({ file, line, relativeError })),
  };
}

const SHOWN_FAILURES = 10;

function printReport({ engine, ops, programs, maxRelativeError, failures }: Report): void {
  const failed = ops.failed + programs.failed;
  const verdict =
    failed === 0
      ? colors.green('agrees with the original')
      : colors.red(`${count(failed, 'case')} ${failed === 1 ? 'differs' : 'differ'}`);
  print(`${colors.bold(engine)}: ${verdict}`);
  print(`  ops       ${ops.cases - ops.failed} of ${ops.cases}`);
  print(`  programs  ${programs.cases - programs.failed} of ${programs.cases}`);
  print(`  largest relative error ${maxRelativeError.toExponential(1)}, ${TOLERANCE.toExponential(0)} is allowed`);
  for (const { file, line, relativeError } of failures.slice(0, SHOWN_FAILURES)) {
    print(`  ${file}:${line}: relative error ${relativeError.toExponential(1)}`);
  }
  if (failures.length > SHOWN_FAILURES) print(`  and ${failures.length - SHOWN_FAILURES} more (--json lists all)`);
}

export function addConformance(cli: Command): void {
  cli
    .command('conformance')
    .description('compare every engine with golden vectors made by the C++ original')
    .argument('<DIR>', 'directory with .jsonl files of ops and programs')
    .option('--json', 'print one JSON object')
    .action((directory: string, { json }: { json?: true }) => {
      const cases = readDirectory(directory);
      const engines = ENGINES.map((engine) => check(engine, cases));
      if (json) printJson({ engines });
      else engines.forEach(printReport);
      if (engines.some(({ failures }) => failures.length > 0)) throw new Failure('an engine differs from the original');
    });
}
