// The words of a line of program text, by their look, so that it must not list ops nor mind whether the text is a program.

export interface Token {
  /** `op`, the type of an address, a number, the head of a function, a comment, or what stands between. */
  readonly kind: 'op' | 's' | 'v' | 'm' | 'number' | 'head' | 'comment' | 'plain';
  readonly text: string;
}

/** A name before a bracket or the op without one; an address; a number with its sign. */
const WORD = /\b(?<op>[A-Za-z_]\w*(?=\()|no_op)\b|\b(?<address>[smv]\d+)\b|-?\b\d+\.?\d*(?:[eE][+-]?\d+)?/g;

function readCode(code: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of code.matchAll(WORD)) {
    if (match.index > end) tokens.push({ kind: 'plain', text: code.slice(end, match.index) });
    const { op, address } = match.groups!;
    const kind = op !== undefined ? 'op' : address === undefined ? 'number' : (address[0] as 's' | 'v' | 'm');
    tokens.push({ kind, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < code.length) tokens.push({ kind: 'plain', text: code.slice(end) });
  return tokens;
}

/** The tokens of one line; together they are the line. */
export function readTokens(line: string): Token[] {
  const comment = line.indexOf('#');
  const code = comment < 0 ? line : line.slice(0, comment);
  const tokens: Token[] = code.startsWith('def ') ? [{ kind: 'head', text: code }] : readCode(code);
  return comment < 0 ? tokens : [...tokens, { kind: 'comment', text: line.slice(comment) }];
}
