// What a program costs, before it runs: the measured times of its live instructions. Compute budgets compare it with the cost
// of a plain network (paper, "Search Method"). Pure: the same on every machine. Must not know how budgets are used.
import { opById } from '../ops/ops.js';
import type { OpName } from '../ops/table.js';
import { simplify } from '../program/liveness.js';
import type { Instruction, LabelKind, Program } from '../program/program.js';
import { COST_FEATURES, OP_COSTS } from './op-costs.js';

/** The cost of one op at any feature size: between and beyond the measured sizes it grows by a power of the size. */
export function opCost(name: OpName, features: number): number {
  const costs = OP_COSTS[name];
  const last = COST_FEATURES.length - 2;
  let k = 0;
  while (k < last && features > COST_FEATURES[k + 1]!) k++;
  const [fromSize, toSize] = [COST_FEATURES[k]!, COST_FEATURES[k + 1]!];
  const [from, to] = [costs[k]!, costs[k + 1]!];
  const part = Math.log(features / fromSize) / Math.log(toSize / fromSize);
  return from * (to / from) ** part;
}

function functionCost(body: readonly Instruction[], features: number): number {
  return body.reduce((total, { op }) => total + opCost(opById(op).name as OpName, features), 0);
}

/** How often the functions of a program run in an evaluation. */
export interface Examples {
  readonly train: number;
  readonly valid: number;
}

/** The cost of evaluating a program on one task, in thousandths of the yardstick's unit. Dead code costs nothing. */
export function programCost(program: Program, features: number, examples: Examples, labels: LabelKind): number {
  const live = simplify(program, labels);
  return (
    functionCost(live.setup, features) +
    functionCost(live.predict, features) * (examples.train + examples.valid) +
    functionCost(live.learn, features) * examples.train
  );
}
