import { describe, expect, it } from 'vitest';
import { builtin } from '../../program/builtin.js';
import { parseProgram } from '../../program/parse.js';
import { printProgram } from '../../program/print.js';
import type { Program } from '../../program/program.js';
import { type PlannedFunction, type PlannedInstruction, planProgram } from './plan.js';

/** Instructions as text. */
function show(planned: Iterable<PlannedInstruction>): string[] {
  return [...planned].map(({ instruction }) => {
    const text = printProgram({ setup: [instruction], predict: [], learn: [] }, 'scalar');
    return text.split('\n')[1]!.trim();
  });
}

const foreseen = ({ foreseeableProducts }: PlannedFunction) => show(foreseeableProducts);
const program = (predict: string, learn: string): Program =>
  parseProgram(`def Setup():\ndef Predict():\n${predict}\ndef Learn():\n${learn}\n`);

describe('the plan', () => {
  const evolved = planProgram(builtin('paper/evolved')!.program, 'scalar', 1);

  it('leaves out of training what only validation needs', () => {
    const [predict] = evolved.training.functions;
    expect(show(predict!.code)).not.toContain('m0 = s2 * m2');
    expect(show(evolved.validation.functions[0]!.code)).toContain('m0 = s2 * m2');
  });

  it('knows which matrices are still read', () => {
    expect(evolved.training.liveMatrices).toEqual(new Set([0, 1, 2]));
    expect(evolved.validation.liveMatrices).toEqual(new Set([0, 2]));
    const network = builtin('paper/neural-net')!.program;
    expect(planProgram(network, 'scalar', 1).training.liveMatrices).toEqual(new Set([0]));
  });

  it('keeps what a further epoch reads', () => {
    const { validation } = planProgram(builtin('paper/evolved')!.program, 'scalar', 2);
    expect(validation.liveMatrices).toEqual(new Set([0, 1, 2]));
  });

  it('foresees products with the features and with noise', () => {
    expect(evolved.training.functions.map(foreseen)).toEqual([['v4 = dot(m0, v2)'], []]);
    expect(evolved.validation.functions.map(foreseen)).toEqual([['v4 = dot(m0, v2)']]);
  });

  it('does not foresee what was learned, at once or by and by', () => {
    const atOnce = program('v1 = dot(m0, v0)\nv2 = dot(m0, v1)\ns1 = dot(v2, v0)', 'm0 = outer(v2, v0)');
    expect(planProgram(atOnce, 'scalar', 1).training.functions.map(foreseen)).toEqual([['v1 = dot(m0, v0)'], []]);
    const later = program('v1 = dot(m0, v3)\ns1 = dot(v1, v0)', 'm0 = outer(v0, v0)\nv3 = v2 + v0\nv2 = s1 * v0');
    expect(planProgram(later, 'scalar', 1).training.functions.map(foreseen)).toEqual([[], []]);
    expect(planProgram(later, 'scalar', 1).validation.functions.map(foreseen)).toEqual([['v1 = dot(m0, v3)']]);
  });
});
