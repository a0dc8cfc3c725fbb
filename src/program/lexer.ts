// Cuts one line of program text into tokens that know their column, and the error that every reader of program text throws.
// Must not know ops.

/** A mistake in a program's text. The message is one line; `report` adds the place and shows it. */
export class ProgramTextError extends Error {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  readonly sourceLine: string;

  constructor(message: string, line: number, column: number, sourceLine: string) {
    super(message);
    this.name = 'ProgramTextError';
    this.line = line;
    this.column = column;
    this.sourceLine = sourceLine;
  }

  /** `name:line:column: message` and a hint, then the line with a caret below the place. */
  report(name: string, hint = ''): string {
    const head = `${name}:${this.line}:${this.column}: ${this.message}${hint}`;
    // A long line is cut to a window around the place. Control characters would move the caret or the cursor.
    const start = Math.max(0, this.column - 61);
    const shown = this.sourceLine.slice(start, start + 100).replace(/\p{C}/gu, ' ');
    if (shown.trim() === '') return head;
    return `${head}\n  ${shown}\n  ${' '.repeat(this.column - 1 - start)}^`;
  }
}

export interface Token {
  readonly kind: 'name' | 'number' | 'symbol' | 'end';
  readonly text: string;
  /** From 1. */
  readonly column: number;
}

const TOKEN = /([A-Za-z_]\w*)|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([-+*/=()[\],:])/y;

/** The tokens of one line without its comment, the last of kind 'end'. */
export function readTokens(line: string, lineNumber: number): Token[] {
  const comment = line.indexOf('#');
  const code = (comment < 0 ? line : line.slice(0, comment)).trimEnd();
  const tokens: Token[] = [];
  let at = 0;
  while (at < code.length) {
    if (/\s/.test(code[at]!)) {
      at++;
      continue;
    }
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(code);
    if (match === null) {
      const character = String.fromCodePoint(code.codePointAt(at)!);
      const shown = /\p{C}/u.test(character)
        ? `U+${character.codePointAt(0)!.toString(16).padStart(4, '0')}`
        : character;
      throw new ProgramTextError(`unexpected character ${shown}`, lineNumber, at + 1, line);
    }
    const kind = match[1] !== undefined ? 'name' : match[2] !== undefined ? 'number' : 'symbol';
    tokens.push({ kind, text: match[0], column: at + 1 });
    at += match[0].length;
  }
  tokens.push({ kind: 'end', text: '', column: code.length + 1 });
  return tokens;
}
