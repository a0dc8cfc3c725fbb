// The time of each op in the fast engine, per task, at several feature sizes: the numbers behind the cost model that budgets
// use (engine/op-costs.ts, made by `npm run costs`).
import { kernelsFor } from '../engine/wasm/compile.js';
import { INSTRUCTION } from '../engine/wasm/encoding.js';
import { chooseLayout } from '../engine/wasm/engine.js';
import { heap } from '../engine/wasm/heap.js';
import { OPS } from '../ops/ops.js';
import type { Op, OperandType } from '../ops/types.js';
import { time } from './clock.js';

export const COST_FEATURES = [4, 16, 64, 256] as const;

/** As many as most searches use. */
const TASKS = 10;

export interface OpCost {
  readonly op: Op;
  /** Nanoseconds for one task. */
  readonly ns: number;
  /** The same in units of the yardstick. */
  readonly units: number;
}

/** The cost of every op at one feature size, f64. */
export function measureOpCosts(features: number, milliseconds = 30): OpCost[] {
  const { layout, execute } = kernelsFor(chooseLayout(features, TASKS, 'f64'));
  const regions: number[] = [];
  const allocate = (bytes: number): number => {
    const region = heap.allocate(bytes);
    regions.push(region);
    return region;
  };
  const operand = (type: OperandType): number => {
    const bytes = layout.operandBytes(type);
    const address = allocate(bytes);
    heap.f64.fill(0.5, address / 8, (address + bytes) / 8);
    return address;
  };
  const operands = {
    s: [0, 1, 2].map(() => operand('s')),
    v: [0, 1, 2].map(() => operand('v')),
    m: [0, 1, 2].map(() => operand('m')),
  };
  /** Instructions one after the other, so that the way in and out hardly counts. */
  const copies = 100;
  const code = allocate(copies * INSTRUCTION.bytes);
  const encode = (op: Op) => {
    for (let k = 0; k < copies; k++) {
      const at = code + k * INSTRUCTION.bytes;
      const words = heap.i32;
      words[(at + INSTRUCTION.kernel) / 4] = op.id;
      words[(at + INSTRUCTION.in1) / 4] = op.inputs[0] === undefined ? 0 : operands[op.inputs[0]][0]!;
      words[(at + INSTRUCTION.in2) / 4] = op.inputs[1] === undefined ? 0 : operands[op.inputs[1]][1]!;
      words[(at + INSTRUCTION.out) / 4] = op.output === undefined ? 0 : operands[op.output][2]!;
      heap.f64[(at + INSTRUCTION.const1) / 8] = 0.5;
      heap.f64[(at + INSTRUCTION.const2) / 8] = 0.5;
    }
  };
  try {
    return OPS.map((op) => {
      encode(op);
      // One execution of an op that takes milliseconds is enough.
      const once = op.name === 'matmul' && features > 64 ? 1 : copies;
      const { ns, yardstick } = time(() => execute(code, code + once * INSTRUCTION.bytes), { rounds: 3, milliseconds });
      const perTask = ns / (once * layout.tasks);
      return { op, ns: perTask, units: perTask / yardstick };
    });
  } finally {
    for (const region of regions) heap.release(region);
  }
}
