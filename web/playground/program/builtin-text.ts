// Built-in programs as texts to be shown. Must not know who shows them.
import { builtin } from '../../../src/program/builtin.js';
import { printProgram } from '../../../src/program/print.js';

/** The text of a built-in program, without the comment about it. */
export function builtinText(name: string): string {
  const { program, labels } = builtin(name)!;
  return printProgram(program, labels);
}
