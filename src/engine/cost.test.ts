import { describe, expect, it } from 'vitest';
import { OPS } from '../ops/ops.js';
import type { OpName } from '../ops/table.js';
import { builtin } from '../program/builtin.js';
import { simplify } from '../program/liveness.js';
import { opCost, programCost } from './cost.js';
import { COST_FEATURES, OP_COSTS } from './op-costs.js';

const NAMES = OPS.map(({ name }) => name as OpName);

describe('the cost of ops', () => {
  it('is measured for every op, and never nothing', () => {
    expect(Object.keys(OP_COSTS).sort()).toEqual([...NAMES].sort());
    for (const name of NAMES) expect(OP_COSTS[name].every((cost) => cost > 0)).toBe(true);
  });

  it('is the measured one at the measured sizes, and between them in between', () => {
    for (const name of NAMES) {
      for (const [k, features] of COST_FEATURES.entries()) {
        expect(opCost(name, features)).toBeCloseTo(OP_COSTS[name][k]!, 6);
      }
      const [low, high] = [OP_COSTS[name][1], OP_COSTS[name][2]].sort((a, b) => a - b) as [number, number];
      expect(opCost(name, 32)).toBeGreaterThanOrEqual(low);
      expect(opCost(name, 32)).toBeLessThanOrEqual(high);
    }
  });

  it('of scalars does not depend on the size, as long as blocks have as many tasks', () => {
    for (const { name, output, inputs } of OPS) {
      if (output !== 's' || inputs.some((type) => type !== 's')) continue;
      const [at4, at16] = OP_COSTS[name as OpName];
      expect(at16 / at4, name).toBeGreaterThan(0.7);
      expect(at16 / at4, name).toBeLessThan(1.4);
    }
  });

  it('grows with the square of large sizes for matrices, and with the cube for their product', () => {
    expect(opCost('matrix-add', 1024) / opCost('matrix-add', 256)).toBeGreaterThan(8);
    expect(opCost('matmul', 1024) / opCost('matmul', 256)).toBeGreaterThan(30);
    expect(opCost('scalar-add', 3072)).toBeLessThan(10 * opCost('scalar-add', 4));
    for (const name of NAMES) expect(opCost(name, 512), name).toBeGreaterThan(0.999999 * opCost(name, 256));
  });
});

describe('the cost of programs', () => {
  const examples = { train: 8000, valid: 1000 };

  it('counts live instructions as often as they run', () => {
    const { program } = builtin('paper/linear')!;
    const cost = programCost(program, 4, examples, 'scalar');
    const perStep =
      opCost('scalar-subtract', 4) + opCost('scalar-multiply', 4) + opCost('vector-scale', 4) + opCost('vector-add', 4);
    expect(cost).toBeCloseTo(opCost('scalar-constant', 4) + 9000 * opCost('dot', 4) + 8000 * perStep, 6);
  });

  it('ignores dead code', () => {
    const { program, labels } = builtin('paper/evolved-raw')!;
    expect(programCost(program, 16, examples, labels)).toBe(
      programCost(simplify(program, labels), 16, examples, labels),
    );
  });

  it('orders programs as one would', () => {
    const cost = (name: string) => programCost(builtin(name)!.program, 16, examples, 'scalar');
    expect(cost('paper/linear')).toBeLessThan(cost('paper/affine') * 1.01);
    expect(cost('paper/affine')).toBeLessThan(cost('paper/neural-net') / 2);
    expect(cost('paper/neural-net')).toBeLessThan(cost('paper/evolved'));
  });
});
