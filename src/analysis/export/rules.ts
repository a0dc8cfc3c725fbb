// One rule per shape of ops, which a language needs to write expressions. Must not know any language.
import type { Op, ShapeName } from '../../ops/types.js';
import type { Operand } from './body.js';
import type { Statement } from './plan.js';

/** What rules need to know of the file; `F` are the names of functions that it may have. */
export interface RuleContext<F extends string> {
  /** Sees to it that the function is in the file, and gives its name back. */
  readonly use: (name: F) => F;
  /** Keys the draws of a random instruction. */
  readonly pathOf: (ordinal: number) => string;
  readonly ignoresZeroSigns: boolean;
}

type Rule<S extends ShapeName, F extends string> = (
  op: Extract<Op, { shape: S }>,
  operands: readonly Operand[],
  statement: Statement,
  context: RuleContext<F>,
) => string;

export type Rules<F extends string> = { readonly [S in ShapeName]: Rule<S, F> };

/** What a statement computes. */
export function writeExpression<F extends string>(
  rules: Rules<F>,
  statement: Statement,
  operands: readonly Operand[],
  context: RuleContext<F>,
): string {
  // The table's type ties each shape to its rule; TypeScript cannot follow that through the look-up.
  return (rules[statement.op.shape] as Rule<ShapeName, F>)(statement.op, operands, statement, context);
}
