import { describe, expect, it } from 'vitest';
import { BUILTIN_NAMES, builtin } from '../../src/program/builtin.js';
import { ProgramTextError } from '../../src/program/lexer.js';
import { parseSource } from '../../src/program/parse.js';
import { printProgram } from '../../src/program/print.js';
import { DEFAULT_MEMORY, programProblem } from '../../src/program/program.js';
import { RandomStream } from '../../src/util/random.js';
import { campaignSize } from '../support/amount.js';
import { damageText } from '../support/damage.js';

const TEXTS = campaignSize(100_000);

const SNIPPETS = [
  ...[
    'def',
    'def Learn():',
    'Setup',
    '(',
    ')',
    '[',
    ']',
    ',',
    ':',
    '=',
    '#',
    '\n',
    '\r\n',
    '\t',
    ' ',
    '-',
    '+',
    '*',
    '/',
  ],
  ...['s0', 'v0', 'm0', 's99', 'v1000000000000', 'm-1', 'x1', '1e999', '-0', '.', '..', '1.2.3', 'e5', 'NaN', 'axis=0'],
  ...[
    'dot(',
    'gaussian(0, 1)',
    '1 /',
    '\u0000',
    '\uFEFF',
    '\u2028',
    '\ud800',
    '😀',
    'ſ',
    '＝',
    '__proto__',
    'constructor',
  ],
  ...['(((((((((((((((((((((((((', '================', '#'.repeat(100), '9'.repeat(400), 's'.repeat(300)],
];

describe('the parser', () => {
  it(`reads ${TEXTS.toLocaleString('en-US')} mutated texts, or says what is wrong with them`, ({ task }) => {
    const texts = BUILTIN_NAMES.map((name) => builtin(name)!.text);
    const random = new RandomStream(2020);
    let [read, refused] = [0, 0];
    for (let k = 0; k < TEXTS; k++) {
      const [one, other] = [0, 1].map(() => texts[random.integer(texts.length)]!);
      const text = damageText(one!, other!, SNIPPETS, random);
      try {
        const { program, labels } = parseSource(text);
        // Whatever is accepted is valid, and is what its printed form says.
        if (programProblem(program, DEFAULT_MEMORY) !== undefined) throw new Error('invalid program accepted');
        if (k % 10 === 0) expect(parseSource(printProgram(program, labels))).toStrictEqual({ program, labels });
        read++;
      } catch (error) {
        if (!(error instanceof ProgramTextError)) throw new Error(`on ${JSON.stringify(text)}`, { cause: error });
        const [head, ...excerpt] = error.report('x').split('\n');
        if (head!.length > 400 || /\p{Cc}/u.test(head!) || excerpt.length > 2) {
          throw new Error(`unclear message ${JSON.stringify(head)} on ${JSON.stringify(text)}`);
        }
        refused++;
      }
    }
    task.meta.cases = TEXTS;
    // Both kinds must be common for this to mean anything.
    expect(read).toBeGreaterThan(TEXTS / 50);
    expect(refused).toBeGreaterThan(TEXTS / 2);
  });
});
