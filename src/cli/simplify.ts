// `evozero simplify`: a program without the instructions that cannot reach a prediction, ready to be piped to a file.
import type { Command } from 'commander';
import { canonicalHash, canonicalize } from '../program/canonical.js';
import { simplify } from '../program/liveness.js';
import { printProgram } from '../program/print.js';
import { countInstructions, type MemorySizes } from '../program/program.js';
import { MEMORY_HELP, MEMORY_OPTION, memorySizes } from './options.js';
import { print, printJson } from './output.js';
import { loadProgram, PROGRAM_HELP } from './program-argument.js';

interface SimplifyOptions {
  readonly json?: true;
  readonly canonical?: true;
  readonly memory?: MemorySizes;
}

export function addSimplify(cli: Command): void {
  cli
    .command('simplify')
    .description('print a program without the instructions that cannot reach a prediction')
    .argument('<PROGRAM>', PROGRAM_HELP)
    .option('--canonical', 'also renumber addresses and order commutative inputs')
    .option(MEMORY_OPTION, MEMORY_HELP, memorySizes)
    .option('--json', 'print one JSON object')
    .action((argument: string, { json, canonical, memory }: SimplifyOptions) => {
      const { name, program, labels } = loadProgram(argument, memory);
      const simplified = simplify(program, labels);
      const result = canonical ? canonicalize(program, labels) : simplified;
      if (!json) {
        print(printProgram(result, labels).trimEnd());
        return;
      }
      printJson({
        name,
        labels,
        hash: canonicalHash(program, labels),
        removed: countInstructions(program) - countInstructions(simplified),
        program: printProgram(program, labels),
        simplified: printProgram(simplified, labels),
        ...(canonical && { canonical: printProgram(result, labels) }),
      });
    });
}
