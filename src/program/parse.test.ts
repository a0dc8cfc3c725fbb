import { describe, expect, it } from 'vitest';
import { OPS } from '../ops/ops.js';
import { ProgramTextError } from './lexer.js';
import { parseProgram, parseSource } from './parse.js';
import { printInstruction, printProgram } from './print.js';

/** A program whose Learn has these lines. */
function learning(...lines: string[]): string {
  return ['def Setup():', 'def Predict(v0):', 'def Learn(v0, s0):', ...lines.map((line) => `  ${line}`)].join('\n');
}

function readLine(line: string, memory?: Parameters<typeof parseProgram>[1]) {
  return parseProgram(learning(line), memory).learn[0]!;
}

function errorOf(text: string, memory?: Parameters<typeof parseProgram>[1]): ProgramTextError {
  try {
    parseProgram(text, memory);
  } catch (error) {
    if (error instanceof ProgramTextError) return error;
    throw error;
  }
  throw new Error('no error');
}

describe('instructions', () => {
  it.each([
    ['s3 = s0 - s1', 2],
    ['v9 = uniform(2e-3, 0.7)', 60],
    ['v3[5] = -2.4', 57],
    ['m2[5, 1] = -0.03', 58],
    ['m2 = bcast(v0, axis=0)', 32],
    ['m2 = bcast(v0, axis=1)', 33],
    ['s4=1/s8', 6],
    ['v5 = 1 / v7', 20],
    ['s4 = .5', 56],
    ['s4 = +5.', 56],
    ['s4 = -1E-3', 56],
    ['v11= s7 * v1', 18],
    ['no_op', 0],
    ['NoOp()', 0],
    ['v6 = heaviside(v6, 1.0)', 16],
    ['v6 = heaviside(v6)', 16],
    ['s6 = heaviside(s6, 1)', 15],
    ['v7 = max(v1, v15)', 48],
    ['s1 = min(s0, s1)', 44],
    ['v1 = mean(m2, axis=0)', 52],
    ['v1 = mean(m2, axis=1)', 52],
    ['v1 = std(m2, axis=0)', 53],
    ['v4 = norm(m7, axis=0)', 35],
    ['v4 = norm(m7, axis=1)', 36],
    ['m4 = gauss(0,1)', 64],
    ['v4 = gaussian(0.1, 0.2, n_features)', 63],
    ['m4 = uniform(0.1, 0.2, (n_features, n_features))', 61],
  ])('%s is op %i', (line, op) => {
    expect(readLine(line).op).toBe(op);
  });

  it('read back in every form of every op', () => {
    for (const op of OPS) {
      for (const text of [op.text, ...(op.alsoRead ?? [])]) {
        let next = 0;
        const line = text.replace(/\b[svmcij]\b/g, (p) => ('cij'.includes(p) ? String(++next) : p + ++next));
        const instruction = readLine(line);
        expect(instruction.op, line).toBe(op.id);
        expect(readLine(printInstruction(instruction))).toEqual(instruction);
      }
    }
  });

  it('keep every bit of a number', () => {
    for (const x of [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, 2 ** 53, -0, 123456789.12345679, 1e21, 1e-7]) {
      const instruction = { ...readLine('s2 = 1'), const1: x };
      expect(Object.is(readLine(printInstruction(instruction)).const1, x)).toBe(true);
    }
  });
});

describe('layout', () => {
  const plain = learning('s3 = s0 - s1');

  it.each([
    ['comments', '# top\ndef Setup(): # no code\ndef Predict(v0):\n# here\ndef Learn(v0, s0):\n  s3 = s0 - s1 # error'],
    ['no parameters', 'def Setup():\ndef Predict():\ndef Learn():\n  s3 = s0 - s1'],
    ['no parentheses', 'def Setup:\ndef Predict:\ndef Learn:\n  s3 = s0 - s1'],
    [
      'blank lines and odd indentation',
      '\n\ndef Setup():\n\n def Predict(v0):\n\ndef Learn(v0, s0):\n\n         s3 = s0 - s1\n\n',
    ],
    ['no indentation', 'def Setup():\ndef Predict(v0):\ndef Learn(v0, s0):\ns3 = s0 - s1'],
    ['CRLF', plain.replaceAll('\n', '\r\n')],
    ['old Macintosh line ends', plain.replaceAll('\n', '\r')],
    ['tabs', plain.replaceAll('  ', '\t').replaceAll(' = ', '\t=\t')],
    ['a byte order mark', `\uFEFF${plain}`],
    ['another order of functions', 'def Learn(v0, s0):\n  s3 = s0 - s1\ndef Setup():\ndef Predict(v0):'],
    ['lower case', plain.replace('Setup', 'setup')],
  ])('%s', (_, text) => {
    expect(parseProgram(text)).toEqual(parseProgram(plain));
  });

  it('says by the parameters of Learn what the label is', () => {
    expect(parseSource(plain).labels).toBe('scalar');
    const vector = parseSource(plain.replace('(v0, s0)', '(v0, v1)'));
    expect(vector.labels).toBe('vector');
    expect(parseSource(printProgram(vector.program, vector.labels))).toEqual(vector);
  });
});

describe('mistakes', () => {
  it.each([
    ['s3 = s0 & s1', 11, 'unexpected character &'],
    ['s3 = s0', 10, "expected '+', '-', '*' or '/', found the end of the line"],
    ['s3 = s0 + v1', 13, 'expected a scalar address, found v1'],
    ['v7 = s4 + v11', 11, "expected '*', found +"],
    ['s3 = sin(v1)', 12, 'expected a scalar address, found v1'],
    ['v3 = sin(v1)', 8, "no op has this form; with sin there is 's = sin(s)'"],
    ['m3 = dot(m1, m2)', 8, "no op has this form; with dot there is 's = dot(v, v)' or 'v = dot(m, v)'"],
    ['s3 = sine(s1)', 8, "unknown op 'sine'; did you mean 'sin'?"],
    ['s3 = qqqqqqqq(s1)', 8, "unknown op 'qqqqqqqq'"],
    ['s3 = dot(v1)', 14, "expected ',', found )"],
    ['s3 = dot(v1, v2', 18, "expected ')', found the end of the line"],
    ['s3 = dot(v1, v2) v3', 20, 'expected the end of the line, found v3'],
    ['x3 = s1', 3, 'expected an address to assign to (such as s2, v1 or m0), found x3'],
    ['3 = s1', 3, 'expected an address to assign to (such as s2, v1 or m0), found 3'],
    ['v3[1.5] = 2', 6, 'expected an element index, found 1.5'],
    ['v3[-1] = 2', 6, 'expected an element index, found -'],
    ['v3[99999999] = 2', 6, 'element index 99999999 is too large'],
    ['s3 = NaN', 8, 'constants must be finite numbers'],
    ['s3 = -inf', 9, 'constants must be finite numbers'],
    ['s3 = - s1', 10, 'expected a number, found s1'],
    ['s3 = uniform(0, inf)', 19, 'constants must be finite numbers'],
    ['s3 = 1e999', 8, '1e999 is too large: constants must be finite numbers'],
    ['s3 = uniform(0, -1e999)', 20, '1e999 is too large: constants must be finite numbers'],
    ['m7 = bcast(v0, axis=2)', 23, "expected '0' or '1', found 2"],
  ])('%s', (line, column, message) => {
    const error = errorOf(learning(line));
    expect(error.message).toBe(message);
    expect(error.line).toBe(4);
    expect(error.column).toBe(column);
  });

  it('an address beyond the memory', () => {
    const memory = { scalars: 8, vectors: 14, matrices: 4 };
    expect(errorOf(learning('m7 = abs(m1)'), memory).message).toBe(
      'matrix address m7 is out of range: this memory has 4 matrices',
    );
    expect(errorOf(learning('s3 = s0 + s99999999999999999999'), memory).message).toMatch(
      /^scalar address s99999999999999999999 is out/,
    );
    expect(errorOf(learning('v3 = v14 + v0'), { ...memory, vectors: 1 }).message).toMatch(/this memory has 1 vector$/);
  });

  it('functions that are missing, twice there, unknown or malformed', () => {
    expect(errorOf('def Setup():\ndef Predict():').message).toMatch(/^missing function Learn: a program has/);
    expect(errorOf('').message).toMatch(/^missing function Setup, Predict, Learn/);
    expect(errorOf('def Setup():\ndef Setup():').message).toBe('function Setup is defined twice');
    expect(errorOf('def Train():').message).toBe("unknown function 'Train': expected Setup, Predict or Learn");
    expect(errorOf('def').message).toBe('expected Setup, Predict or Learn, found the end of the line');
    expect(errorOf('def Setup()').message).toBe("expected ':', found the end of the line");
    expect(errorOf('def Setup(x):').message).toBe('expected an address, found x');
    expect(errorOf('def Setup(v0').message).toBe("expected ',', found the end of the line");
    expect(errorOf('s3 = s1 + s2').message).toBe('expected a function first, such as def Setup():');
  });

  it('parameters that a function is not given', () => {
    const head = (line: string) => errorOf(`def Setup():\ndef Predict():\n${line}\n`);
    expect(head('def Learn(v0, s1):').message).toBe('Learn is given (v0, s0) or (v0, v1)');
    expect(head('def Learn(v0, s1):').column).toBe(11);
    for (const line of ['def Learn(v1):', 'def Learn(v0, v1, s0):', 'def Learn(v0, v2):', 'def Learn(v0):']) {
      expect(head(line).message).toBe('Learn is given (v0, s0) or (v0, v1)');
    }
    expect(errorOf('def Setup(v0):').message).toBe('Setup is given ()');
    expect(errorOf('def Predict(v5):').message).toBe('Predict is given (v0)');
  });

  it('show the line and point at the place', () => {
    const text = learning('s3 = s0 - s1', 's3 = sine(s1) # wave');
    expect(errorOf(text).report('my.alg')).toBe(
      ["my.alg:5:8: unknown op 'sine'; did you mean 'sin'?", '    s3 = sine(s1) # wave', '         ^'].join('\n'),
    );
  });

  it('show only a part of a long line, and no control characters', () => {
    const error = errorOf(learning(`${' '.repeat(500)}s3 = s0 \u001b[31m ${'x'.repeat(500)}`));
    const [head, source, caret, ...rest] = error.report('f').split('\n');
    expect(rest).toEqual([]);
    expect(head).toContain('unexpected character U+001b');
    expect(source!.length).toBeLessThan(110);
    expect(source).not.toMatch(/\p{C}/u);
    expect(source![caret!.length - 1]).toBe(' ');
    expect(source!.slice(0, caret!.length - 1).trimEnd()).toMatch(/s0$/);
  });
});
