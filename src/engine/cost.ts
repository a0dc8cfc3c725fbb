// What a program costs, before it runs: the measured times of its live instructions. Compute budgets compare it with the cost
// of a plain network (paper, "Search Method"). Pure: the same on every machine. Must not know how budgets are used.
import { OPS } from '../ops/ops.js';
import type { OpName } from '../ops/table.js';
import { builtin } from '../program/builtin.js';
import { LiveCode } from '../program/flat/live-code.js';
import type { LabelKind, Program } from '../program/program.js';
import { exp, log } from '../util/elementary.js';
import { COST_FEATURES, OP_COSTS } from './op-costs.js';

/** The cost of one op at any feature size: between and beyond the measured sizes it grows by a power of the size. */
export function opCost(name: OpName, features: number): number {
  const costs = OP_COSTS[name];
  const last = COST_FEATURES.length - 2;
  let k = 0;
  while (k < last && features > COST_FEATURES[k + 1]!) k++;
  const [fromSize, toSize] = [COST_FEATURES[k]!, COST_FEATURES[k + 1]!];
  const [from, to] = [costs[k]!, costs[k + 1]!];
  const part = log(features / fromSize) / log(toSize / fromSize);
  // Beyond the last size nothing becomes cheaper, whatever two noisy numbers say.
  const growth = part > 1 ? Math.max(1, to / from) : to / from;
  return from * exp(part * log(growth));
}

const byFeatures = new Map<number, Float64Array>();

/** The cost of every op at a feature size, by number. */
function opCosts(features: number): Float64Array {
  const known = byFeatures.get(features);
  if (known !== undefined) return known;
  const costs = Float64Array.from(OPS, ({ name }) => opCost(name as OpName, features));
  byFeatures.set(features, costs);
  return costs;
}

/** The cost of live instructions on one kind of task. */
export class CostModel {
  private readonly costs: Float64Array;
  private readonly examples: ExampleCounts;

  constructor(features: number, examples: ExampleCounts) {
    this.costs = opCosts(features);
    this.examples = examples;
  }

  /** As `programCost`. */
  cost({ ops, firstOfPredict, firstOfLearn, end }: LiveCode): number {
    const { costs } = this;
    const { train, valid } = this.examples;
    let [setup, predict, learn] = [0, 0, 0];
    for (let k = 0; k < firstOfPredict; k++) setup += costs[ops[k]!]!;
    for (let k = firstOfPredict; k < firstOfLearn; k++) predict += costs[ops[k]!]!;
    for (let k = firstOfLearn; k < end; k++) learn += costs[ops[k]!]!;
    return setup + predict * (train + valid) + learn * train;
  }
}

/** How often the functions of a program run in an evaluation. */
export interface ExampleCounts {
  readonly train: number;
  readonly valid: number;
}

/** The cost of evaluating a program on one task, in thousandths of the yardstick's unit. Dead code costs nothing. */
export function programCost(program: Program, features: number, examples: ExampleCounts, labels: LabelKind): number {
  const live = new LiveCode(labels);
  live.setProgram(program);
  return new CostModel(features, examples).cost(live);
}

/** The cost of a plain two-layer network, which budgets are multiples of. */
export function networkCost(features: number, examples: ExampleCounts): number {
  return programCost(builtin('paper/neural-net')!.program, features, examples, 'scalar');
}
