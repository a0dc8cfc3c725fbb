// The colours of program text on a terminal, by the look of its words: a line may be cut anywhere. Must not list ops, nor
// mind whether the text is a program.
import type { Colors, Formatter } from 'picocolors/types.js';

/** A name before a bracket or the op without one; an address; a number with its sign. */
const TOKEN =
  /\b(?<op>[A-Za-z_]\w*(?=\()|no_op)\b|\b(?<address>[smv]\d+)\b|(?<constant>-?\b\d+\.?\d*(?:[eE][+-]?\d+)?)/g;

function colorCode(code: string, colors: Colors): string {
  const ofAddress: Readonly<Record<string, Formatter>> = { s: colors.green, v: colors.yellow, m: colors.magenta };
  return code.replace(TOKEN, (text: string, op?: string, address?: string) => {
    if (op !== undefined) return colors.cyan(text);
    return address === undefined ? colors.blueBright(text) : ofAddress[address[0]!]!(text);
  });
}

function colorLine(line: string, colors: Colors): string {
  const comment = line.indexOf('#');
  const code = comment < 0 ? line : line.slice(0, comment);
  const colored = code.startsWith('def ') ? colors.bold(code) : colorCode(code, colors);
  return comment < 0 ? colored : colored + colors.dim(line.slice(comment));
}

/** The same text with colours; the same altogether where `colors` are off. */
export function colorProgram(text: string, colors: Colors): string {
  return text
    .split('\n')
    .map((line) => colorLine(line, colors))
    .join('\n');
}
