// The lines of an exported function, in a language that is given by its syntax. Must not know any language.
import type { OperandType } from '../../ops/types.js';
import type { PlannedFunction, Statement, Value } from './plan.js';

export interface Line {
  readonly code: string;
  /** Nothing to say: empty. */
  readonly comment: string;
}

/** An input of a statement as it is written. */
export interface Operand {
  readonly text: string;
  /** Zero for ever, so that a language may write less. */
  readonly isZero: boolean;
}

/** How a language writes what functions consist of. */
export interface Syntax {
  /** `this.weights`, `error` */
  readonly nameOf: (value: Value) => string;
  readonly zerosOf: (type: OperandType) => string;
  readonly copyOf: (name: string) => string;
  /** `const error`, `let sum: Float64Array` */
  readonly declare: (name: string, type: OperandType, isReassigned: boolean) => string;
  /** The place of an element: `weights[3]`. */
  readonly elementOf: (name: string, statement: Statement) => string;
  readonly expressionOf: (statement: Statement, operands: readonly Operand[]) => string;
  /** Whether `a += b` does what the statement does. */
  readonly mayUpdate: (statement: Statement, fn: PlannedFunction) => boolean;
  readonly end: string;
}

const OPERATORS: Readonly<Record<string, string>> = { add: '+', subtract: '-', multiply: '*', divide: '/' };

/** `error *= rate` where the output is an input, or nothing. */
function updateOf(statement: Statement, target: string, operands: readonly Operand[]): string | undefined {
  const { op } = statement;
  const operator = op.shape === 'map2' ? OPERATORS[op.fn] : undefined;
  if (operator === undefined) return undefined;
  const [a, b] = operands;
  if (a!.text === target) return `${target} ${operator}= ${b!.text}`;
  return b!.text === target && op.commutes ? `${target} ${operator}= ${a!.text}` : undefined;
}

export function writeBody(fn: PlannedFunction, syntax: Syntax): Line[] {
  const { nameOf, end } = syntax;
  const counts = new Map<string, number>();
  const countLocal = (value: Value) => {
    const name = nameOf(value);
    if (value.kind === 'local') counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const value of fn.zeroed) countLocal(value);
  for (const { op, output } of fn.statements) if (op.overwrites) countLocal(output);

  const declared = new Set<string>();
  const targetOf = (value: Value): string => {
    const name = nameOf(value);
    if (value.kind !== 'local' || declared.has(name)) return name;
    declared.add(name);
    return syntax.declare(name, value.type, counts.get(name)! > 1);
  };
  const lines: Line[] = [];
  for (const value of fn.copied) {
    const name = nameOf(value);
    lines.push({ code: `${name} = ${syntax.copyOf(name)}${end}`, comment: '' });
  }
  for (const value of fn.zeroed) {
    lines.push({ code: `${targetOf(value)} = ${syntax.zerosOf(value.type)}${end}`, comment: '' });
  }
  for (const statement of fn.statements) {
    const { op, output, inputs, comment } = statement;
    const operands = inputs.map((value) => ({
      text: value.kind === 'zero' ? syntax.zerosOf(value.type) : nameOf(value),
      isZero: value.kind === 'zero',
    }));
    const update = syntax.mayUpdate(statement, fn) ? updateOf(statement, nameOf(output), operands) : undefined;
    const expression = () => syntax.expressionOf(statement, operands);
    const target = () => (op.overwrites ? targetOf(output) : syntax.elementOf(nameOf(output), statement));
    lines.push({ code: `${update ?? `${target()} = ${expression()}`}${end}`, comment });
  }
  return lines;
}

/** What makes fields zero, with their addresses where their names do not tell. */
export function writeZeros(values: readonly Value[], { nameOf, zerosOf, end }: Syntax): Line[] {
  return values.map((value) => {
    const name = nameOf(value);
    const tells = new RegExp(`\\b${value.key}_?$`).test(name);
    return { code: `${name} = ${zerosOf(value.type)}${end}`, comment: tells ? '' : value.key };
  });
}

/** Code up to this width has its comments in one column. */
const ALIGNED_WIDTH = 64;

/** The lines with their comments behind them, after a mark such as ` // `. */
export function joinLines(lines: readonly Line[], indent: string, mark: string): string {
  const widths = lines.flatMap(({ code, comment }) => (comment === '' ? [] : [code.length]));
  const column = Math.max(0, ...widths.filter((width) => width <= ALIGNED_WIDTH));
  return lines
    .map(({ code, comment }) => (comment === '' ? code : code.padEnd(column) + mark + comment))
    .map((line) => `${indent}${line}\n`)
    .join('');
}
