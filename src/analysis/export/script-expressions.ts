// What each op is in TypeScript and JavaScript: one rule per shape. Must not know classes.
import type { Map1, Map2 } from '../../ops/primitives.js';
import type { OperandType } from '../../ops/types.js';
import type { Operand } from './body.js';
import type { Statement } from './plan.js';
import { type RuleContext, type Rules, writeExpression } from './rules.js';
import type { ScriptFunction } from './script-functions.js';

export const SIZE = 'this.features';

const COUNTS: { readonly [T in OperandType]: string } = { s: '1', v: SIZE, m: `${SIZE} ** 2` };

export function zeros(type: OperandType): string {
  return type === 's' ? '0' : `new Float64Array(${COUNTS[type]})`;
}

/** The shortest text that reads back as the same number. */
export function numberText(x: number): string {
  return Object.is(x, -0) ? '-0' : String(x);
}

const MAP1: { readonly [F in Map1]: (a: string) => string } = {
  abs: (a) => `Math.abs(${a})`,
  reciprocal: (a) => `1 / ${a}`,
  sin: (a) => `Math.sin(${a})`,
  cos: (a) => `Math.cos(${a})`,
  tan: (a) => `Math.tan(${a})`,
  arcsin: (a) => `Math.asin(${a})`,
  arccos: (a) => `Math.acos(${a})`,
  arctan: (a) => `Math.atan(${a})`,
  exp: (a) => `Math.exp(${a})`,
  log: (a) => `Math.log(${a})`,
  step: (a) => `${a} >= 0 ? 1 : 0`,
  stepAbove: (a) => `${a} > 0 ? 1 : 0`,
};

interface Binary {
  readonly ofNumbers: (a: string, b: string) => string;
  readonly ofArrays: ScriptFunction;
  /** The function that is the same but for NaN and signs of zeros, and the input that it keeps. */
  readonly like?: { readonly text: string; readonly keeps: 0 | 1 };
}

const MAP2: { readonly [F in Map2]: Binary } = {
  add: { ofNumbers: (a, b) => `${a} + ${b}`, ofArrays: 'add' },
  subtract: { ofNumbers: (a, b) => `${a} - ${b}`, ofArrays: 'subtract' },
  multiply: { ofNumbers: (a, b) => `${a} * ${b}`, ofArrays: 'multiply' },
  divide: { ofNumbers: (a, b) => `${a} / ${b}`, ofArrays: 'divide' },
  minFirst: {
    ofNumbers: (a, b) => `${b} < ${a} ? ${b} : ${a}`,
    ofArrays: 'minimum',
    like: { text: 'Math.min', keeps: 0 },
  },
  minSecond: {
    ofNumbers: (a, b) => `${a} < ${b} ? ${a} : ${b}`,
    ofArrays: 'matrixMinimum',
    like: { text: 'Math.min', keeps: 1 },
  },
  maxFirst: {
    ofNumbers: (a, b) => `${a} < ${b} ? ${b} : ${a}`,
    ofArrays: 'maximum',
    like: { text: 'Math.max', keeps: 0 },
  },
  maxSecond: {
    ofNumbers: (a, b) => `${a} > ${b} ? ${a} : ${b}`,
    ofArrays: 'matrixMaximum',
    like: { text: 'Math.max', keeps: 1 },
  },
};

function inParentheses(text: string): string {
  return text.includes('?') ? `(${text})` : text;
}

/** A minimum or maximum with zero, which is no array then: the ReLU. */
function chooseFromZero(
  { ofNumbers, like }: Binary,
  zero: 0 | 1,
  array: string,
  { ignoresZeroSigns }: RuleContext<ScriptFunction>,
) {
  const [a, b] = zero === 0 ? ['0', 'value'] : ['value', '0'];
  const isSame = ignoresZeroSigns && like!.keeps !== zero;
  const text = isSame ? `${like!.text}(${a}, ${b})` : ofNumbers(a!, b!);
  return `${array}.map((value) => ${inParentheses(text)})`;
}

const RULES: Rules<ScriptFunction> = {
  none: () => '',
  map1(op, [a]) {
    if (op.output === 's') return MAP1[op.fn](a!.text);
    return `${a!.text}.map(${op.fn === 'abs' ? 'Math.abs' : `(value) => ${inParentheses(MAP1[op.fn]('value'))}`})`;
  },
  map2(op, [a, b], _statement, context) {
    const binary = MAP2[op.fn];
    if (op.output === 's') return binary.ofNumbers(a!.text, b!.text);
    if (binary.like !== undefined && a!.isZero !== b!.isZero) {
      return chooseFromZero(binary, a!.isZero ? 0 : 1, (a!.isZero ? b! : a!).text, context);
    }
    return `${context.use(binary.ofArrays)}(${a!.text}, ${b!.text})`;
  },
  scale: (_op, [a, b], _statement, { use }) => `${use('scale')}(${a!.text}, ${b!.text})`,
  broadcast(op, [a], _statement, { use }) {
    if (op.from === 'scalar') return `${zeros('v')}.fill(${a!.text})`;
    return `${use(op.from === 'column' ? 'repeatColumn' : 'repeatRow')}(${a!.text})`;
  },
  reduce: (op, [a], _statement, { use }) => `${use(op.fn)}(${a!.text})`,
  reduceAxis(op, [a], _statement, { use }) {
    const ofRows = { norm: 'rowNorms', mean: 'rowMeans', std: 'rowStds' } as const;
    if (op.axis === 1) return `${use(ofRows[op.fn])}(${a!.text}, ${SIZE})`;
    const rows = `${use('transpose')}(${a!.text}, ${SIZE})`;
    return op.fn === 'norm' ? `${use('columnNorms')}(${a!.text}, ${SIZE})` : `${use(ofRows[op.fn])}(${rows}, ${SIZE})`;
  },
  contract(op, [a, b], _statement, { use }) {
    if (op.output === 's') return `${use('dot')}(${a!.text}, ${b!.text})`;
    if (op.output === 'v') return `${use('matrixVector')}(${a!.text}, ${b!.text})`;
    if (op.inputs[0] === 'v') return `${use('outer')}(${a!.text}, ${b!.text})`;
    return `${use('matmul')}(${a!.text}, ${b!.text}, ${SIZE})`;
  },
  transpose: (_op, [a], _statement, { use }) => `${use('transpose')}(${a!.text}, ${SIZE})`,
  fillConst: (_op, _operands, { instruction }) => numberText(instruction.const1),
  fillRandom(op, _operands, { instruction: { const1, const2 }, ordinal }, { use, pathOf }) {
    const drawn = `${use(op.fn)}(${numberText(const1)}, ${numberText(const2)}, ${COUNTS[op.output!]}, ${pathOf(ordinal)})`;
    return op.output === 's' ? `${drawn}[0]⟦!⟧` : drawn;
  },
};

export function scriptExpression(
  statement: Statement,
  operands: readonly Operand[],
  context: RuleContext<ScriptFunction>,
): string {
  return writeExpression(RULES, statement, operands, context);
}

/** `weights[3 % this.features]`: an index beyond the features wraps. */
export function scriptElement(name: string, { op, instruction: { index1, index2 } }: Statement): string {
  const wrapped = (index: number) => (index === 0 ? '0' : `${index} % ${SIZE}`);
  if (op.indices === 1) return `${name}[${wrapped(index1)}]`;
  const row = index1 === 0 ? '' : `(${wrapped(index1)}) * ${SIZE} + `;
  return `${name}[${row}${row === '' || index2 === 0 ? wrapped(index2) : `(${wrapped(index2)})`}]`;
}
