// What each op is in Python with NumPy: one rule per shape. Must not know classes.
import type { Map1, Map2 } from '../../ops/primitives.js';
import type { OperandType } from '../../ops/types.js';
import type { Operand } from './body.js';
import type { Statement } from './plan.js';
import type { PythonFunction } from './python-functions.js';
import { type RuleContext, type Rules, writeExpression } from './rules.js';

/** The local variable for the number of features. */
export const SIZE = 'n';

const SHAPES: { readonly [T in OperandType]: string } = { s: '()', v: SIZE, m: `(${SIZE}, ${SIZE})` };

export function zeros(type: OperandType): string {
  return type === 's' ? '0.0' : `np.zeros(${SHAPES[type]})`;
}

/** The shortest text that reads back as the same float. */
export function numberText(x: number): string {
  const text = Object.is(x, -0) ? '-0' : String(x);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Scalars are NumPy's or Python's: what could raise there is left to NumPy. */
const MAP1: { readonly [F in Map1]: (a: string, type: OperandType) => string } = {
  abs: (a, type) => (type === 's' ? `abs(${a})` : `np.abs(${a})`),
  reciprocal: (a, type) => (type === 's' ? `np.divide(1.0, ${a})` : `1.0 / ${a}`),
  sin: (a) => `np.sin(${a})`,
  cos: (a) => `np.cos(${a})`,
  tan: (a) => `np.tan(${a})`,
  arcsin: (a) => `np.arcsin(${a})`,
  arccos: (a) => `np.arccos(${a})`,
  arctan: (a) => `np.arctan(${a})`,
  exp: (a) => `np.exp(${a})`,
  log: (a) => `np.log(${a})`,
  step: (a) => `1.0 if ${a} >= 0 else 0.0`,
  stepAbove: (a) => `np.where(${a} > 0, 1.0, 0.0)`,
};

/** A minimum or maximum: which comparison takes the second input, and which input stays with NaN. */
interface Choice {
  readonly fn: string;
  readonly test: (a: string, b: string) => string;
  /** The input that is taken where the test holds. */
  readonly taken: 0 | 1;
}

const CHOICES: { readonly [F in Exclude<Map2, 'add' | 'subtract' | 'multiply' | 'divide'>]: Choice } = {
  minFirst: { fn: 'np.minimum', test: (a, b) => `${b} < ${a}`, taken: 1 },
  minSecond: { fn: 'np.minimum', test: (a, b) => `${a} < ${b}`, taken: 0 },
  maxFirst: { fn: 'np.maximum', test: (a, b) => `${a} < ${b}`, taken: 1 },
  maxSecond: { fn: 'np.maximum', test: (a, b) => `${a} > ${b}`, taken: 0 },
};

const OPERATORS = { add: '+', subtract: '-', multiply: '*', divide: '/' } as const;

function choose(choice: Choice, [a, b]: readonly [Operand, Operand], type: OperandType, ignoresZeroSigns: boolean) {
  const [first, second] = [a, b].map(({ text, isZero }, k) => (isZero && ![a, b][1 - k]!.isZero ? '0.0' : text));
  const [taken, left] = choice.taken === 1 ? [second!, first!] : [first!, second!];
  const test = choice.test(first!, second!);
  if (type === 's') return `${taken} if ${test} else ${left}`;
  // NaN in the input that is left stays NaN, as NumPy's own functions have it.
  const isSame = ignoresZeroSigns && [a, b][choice.taken]!.isZero && ![a, b][1 - choice.taken]!.isZero;
  return isSame ? `${choice.fn}(${first}, ${second})` : `np.where(${test}, ${taken}, ${left})`;
}

const RULES: Rules<PythonFunction> = {
  none: () => '',
  map1: (op, [a]) => MAP1[op.fn](a!.text, op.output!),
  map2(op, operands, _statement, { ignoresZeroSigns }) {
    const [a, b] = operands as readonly [Operand, Operand];
    if (op.fn !== 'add' && op.fn !== 'subtract' && op.fn !== 'multiply' && op.fn !== 'divide') {
      return choose(CHOICES[op.fn], [a, b], op.output!, ignoresZeroSigns);
    }
    if (op.fn === 'divide' && op.output === 's') return `np.divide(${a.text}, ${b.text})`;
    return `${a.text} ${OPERATORS[op.fn]} ${b.text}`;
  },
  scale: (_op, [a, b]) => `${a!.text} * ${b!.text}`,
  broadcast(op, [a]) {
    if (op.from === 'scalar') return `np.full(${SIZE}, ${a!.text}, dtype=float)`;
    return op.from === 'column'
      ? `np.repeat(${a!.text}, ${SIZE}).reshape(${SHAPES.m})`
      : `np.tile(${a!.text}, (${SIZE}, 1))`;
  },
  reduce: (op, [a], _statement, { use }) => `${op.fn === 'std' ? use('std') : REDUCTIONS[op.fn]}(${a!.text})`,
  reduceAxis: (op, [a], _statement, { use }) =>
    `${op.fn === 'std' ? use('std') : REDUCTIONS[op.fn]}(${a!.text}, axis=${op.axis})`,
  contract(op, [a, b]) {
    const isOuter = op.output === 'm' && op.inputs[0] === 'v';
    return isOuter ? `np.outer(${a!.text}, ${b!.text})` : `${a!.text} @ ${b!.text}`;
  },
  // A copy, because elements may be set and sums updated in place.
  transpose: (_op, [a]) => `${a!.text}.T.copy()`,
  fillConst: (_op, _operands, { instruction }) => numberText(instruction.const1),
  fillRandom(op, _operands, { instruction: { const1, const2 }, ordinal }, { use, pathOf }) {
    return `${use(op.fn)}(${numberText(const1)}, ${numberText(const2)}, ${SHAPES[op.output!]}, ${pathOf(ordinal)})`;
  },
};

const REDUCTIONS = { norm: 'np.linalg.norm', mean: 'np.mean' } as const;

export function pythonExpression(
  statement: Statement,
  operands: readonly Operand[],
  context: RuleContext<PythonFunction>,
): string {
  return writeExpression(RULES, statement, operands, context);
}

/** `weights[3 % n]`: an index beyond the features wraps. */
export function pythonElement(name: string, { op, instruction: { index1, index2 } }: Statement): string {
  const wrapped = (index: number) => (index === 0 ? '0' : `${index} % ${SIZE}`);
  return `${name}[${[index1, index2].slice(0, op.indices).map(wrapped).join(', ')}]`;
}
