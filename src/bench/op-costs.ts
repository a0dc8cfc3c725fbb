// The time of each op in the fast engine, per task, at several feature sizes: the numbers behind the cost model that budgets
// use (engine/op-costs.ts, made by `npm run costs`).
import { kernelsFor } from '../engine/wasm/compile.js';
import { INSTRUCTION } from '../engine/wasm/encoding.js';
import { chooseLayout } from '../engine/wasm/engine.js';
import { heap } from '../engine/wasm/heap.js';
import { writeConstants, writeInstruction } from '../engine/wasm/write-instruction.js';
import { OPS } from '../ops/ops.js';
import { operationCount } from '../ops/semantics.js';
import type { Op, OperandType } from '../ops/types.js';
import { timeAll } from './clock.js';

/** As many as most searches use. */
const TASKS = 10;
/** Elementary operations of an op that are executed at a time, about; of cheap ops so many copies. */
const OPERATIONS = 1e6;
const MAX_COPIES = 100;

interface OpCost {
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
  const encode = (op: Op, copies: number): number => {
    const code = allocate(copies * INSTRUCTION.bytes);
    const at = (type: OperandType | undefined, k: number) => (type === undefined ? 0 : operands[type][k]!);
    for (let k = 0; k < copies; k++) {
      const place = code + k * INSTRUCTION.bytes;
      writeInstruction(place, op.id, at(op.inputs[0], 0), at(op.inputs[1], 1), at(op.output, 2));
      writeConstants(place, 0.5, 0.5);
    }
    return code;
  };
  try {
    const works = OPS.map((op) => {
      const copies = Math.max(1, Math.min(MAX_COPIES, Math.floor(OPERATIONS / operationCount(op, features))));
      const code = encode(op, copies);
      return { op, copies, run: () => execute(code, code + copies * INSTRUCTION.bytes) };
    });
    const times = timeAll(
      works.map(({ run }) => run),
      { rounds: 3, milliseconds },
    );
    return works.map(({ op, copies }, k) => {
      const ns = times[k]!.ns / (copies * layout.tasks);
      return { op, ns, units: ns / times[k]!.yardstick };
    });
  } finally {
    for (const region of regions) heap.release(region);
  }
}
