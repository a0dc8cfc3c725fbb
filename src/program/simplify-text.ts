// The text of a program, simplified, for those who show programs that they were given. Must not know where texts come from.
import { ProgramTextError } from './lexer.js';
import { simplify } from './liveness.js';
import { parseSource } from './parse.js';
import { printProgram } from './print.js';
import type { MemorySizes } from './program.js';

/** The text without what has no effect; a text that is no program stays as it is. */
export function simplifyText(text: string, memory?: MemorySizes): string {
  try {
    const { program, labels } = parseSource(text, memory);
    return printProgram(simplify(program, labels), labels);
  } catch (error) {
    if (error instanceof ProgramTextError) return text;
    throw error;
  }
}
