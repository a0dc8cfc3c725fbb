// One value as a LaTeX formula, with as few brackets as its shape allows. Must not know which values have names.
import { opById } from '../../ops/ops.js';
import type { Op } from '../../ops/types.js';
import type { Value } from './flow.js';

/** A formula, and how tightly its parts hold together: a sum needs brackets in a product, a product does in a power. */
export interface Formula {
  readonly text: string;
  readonly binds: 'sum' | 'product' | 'atom';
}

export const atom = (text: string): Formula => ({ text, binds: 'atom' });
const product = (text: string): Formula => ({ text, binds: 'product' });

/** `0.05`, `1.8 \cdot 10^{-3}` */
function latexNumber(x: number): Formula {
  const [digits, exponent] = String(Object.is(x, -0) ? 0 : x).split('e');
  const size = Math.abs(x);
  if (exponent === undefined && (size === 0 || size >= 1e-3))
    return x < 0 ? { text: digits!, binds: 'sum' } : atom(digits!);
  const [mantissa, power] = x.toExponential().split('e');
  const text = `${mantissa} \\cdot 10^{${Number(exponent ?? power)}}`;
  return { text, binds: x < 0 ? 'sum' : 'product' };
}

const isZero = ({ text }: Formula) => text === '0' || text === '\\mathbf{0}';
const inBrackets = (text: string) => `\\left(${text}\\right)`;
const inProduct = ({ text, binds }: Formula) => (binds === 'sum' ? inBrackets(text) : text);
const inPower = ({ text, binds }: Formula) => (binds === 'atom' ? text : inBrackets(text));
const applied = (name: string, ...inputs: readonly Formula[]) =>
  atom(`${name}\\left(${inputs.map(({ text }) => text).join(', ')}\\right)`);
const named = (name: string) => `\\operatorname{${name}}`;

const FUNCTIONS: Readonly<Record<string, string>> = {
  sin: '\\sin',
  cos: '\\cos',
  tan: '\\tan',
  arcsin: '\\arcsin',
  arccos: '\\arccos',
  arctan: '\\arctan',
  exp: '\\exp',
  log: '\\ln',
  step: named('step'),
  stepAbove: named('step'),
  minFirst: '\\min',
  minSecond: '\\min',
  maxFirst: '\\max',
  maxSecond: '\\max',
};

function combine(op: Op & { readonly shape: 'map2' }, a: Formula, b: Formula): Formula {
  switch (op.fn) {
    case 'add':
      if (isZero(a)) return b;
      if (isZero(b)) return a;
      return { text: `${a.text} + ${b.text.startsWith('-') ? inBrackets(b.text) : b.text}`, binds: 'sum' };
    case 'subtract':
      if (isZero(b)) return a;
      if (isZero(a)) return { text: `-${inProduct(b)}`, binds: 'sum' };
      return { text: `${a.text} - ${inProduct(b)}`, binds: 'sum' };
    case 'multiply':
      if (op.output === 's') return product(`${inProduct(a)} \\, ${inProduct(b)}`);
      // Beside a product of another kind it would be unclear what is multiplied first.
      return { text: `${inProduct(a)} \\odot ${inProduct(b)}`, binds: 'sum' };
    case 'divide':
      return atom(`\\frac{${a.text}}{${b.text}}`);
    default:
      return applied(FUNCTIONS[op.fn]!, a, b);
  }
}

function contract({ output, inputs }: Op, a: Formula, b: Formula): Formula {
  if (output === 's') return product(`${inPower(a)}^\\top ${inProduct(b)}`);
  if (inputs[0] === 'v') return product(`${inProduct(a)} ${inPower(b)}^\\top`);
  return product(`${inProduct(a)} \\, ${inProduct(b)}`);
}

function applyOp(op: Op, value: Value, a: Formula, b: Formula): Formula {
  const { const1, const2, index1, index2 } = value.instruction!;
  switch (op.shape) {
    case 'none':
      return atom('');
    case 'map1':
      if (op.fn === 'abs') return atom(`\\left|${a.text}\\right|`);
      return op.fn === 'reciprocal' ? atom(`\\frac{1}{${a.text}}`) : applied(FUNCTIONS[op.fn]!, a);
    case 'map2':
      return combine(op, a, b);
    case 'scale':
      return product(`${inProduct(a)} \\, ${inProduct(b)}`);
    case 'broadcast':
      if (op.from === 'scalar') return product(`${inProduct(a)} \\, \\mathbf{1}`);
      return product(
        op.from === 'column' ? `${inProduct(a)} \\, \\mathbf{1}^\\top` : `\\mathbf{1} \\, ${inPower(a)}^\\top`,
      );
    case 'reduce':
      return op.fn === 'norm' ? atom(`\\left\\lVert ${a.text} \\right\\rVert`) : applied(named(op.fn), a);
    case 'reduceAxis':
      return applied(`${named(op.fn)}_{\\text{${op.axis === 0 ? 'columns' : 'rows'}}}`, a);
    case 'contract':
      return contract(op, a, b);
    case 'transpose':
      return atom(`${inPower(a)}^\\top`);
    case 'fillConst': {
      const number = latexNumber(const1);
      if (op.indices === 0) return number;
      const place = op.indices === 1 ? `${index1}` : `${index1}, ${index2}`;
      return applied(named('set'), a, atom(`[${place}] = ${number.text}`));
    }
    case 'fillRandom': {
      const [low, high] = [latexNumber(const1).text, latexNumber(const2).text];
      return op.fn === 'uniform' ? atom(`\\mathcal{U}(${low}, ${high})`) : atom(`\\mathcal{N}(${low}, (${high})^2)`);
    }
  }
}

/** What an op makes of its inputs, whose formulas `write` gives. */
export function writeOp(value: Value, write: (input: Value) => Formula): Formula {
  const [a = atom(''), b = atom('')] = value.inputs.map(write);
  return applyOp(opById(value.instruction!.op), value, a, b);
}
