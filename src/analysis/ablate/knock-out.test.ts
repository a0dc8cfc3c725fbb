import { describe, expect, it } from 'vitest';
import { builtin } from '../../program/builtin.js';
import { parseProgram } from '../../program/parse.js';
import { printInstruction } from '../../program/print.js';
import { applyEdits, waysOfInstruction, waysOfSection } from './knock-out.js';

const { program } = builtin('paper/evolved')!;

describe('waysOfInstruction', () => {
  it('removes, or copies each input of the type of the output', () => {
    const ways = waysOfInstruction(program, { function: 'predict', index: 0 });
    expect(ways.map(({ how }) => how)).toEqual(['removed', 'v2 = v0', 'v2 = v1']);
    const [removed, copied] = ways.map(({ edits }) => applyEdits(program, edits));
    expect(removed!.predict).toEqual(program.predict.slice(1));
    expect(copied!.predict.map(printInstruction)[0]).toBe('v2 = maximum(v0, v0)');
    expect(copied!.learn).toEqual(program.learn);
  });

  it('has no copy of an output into itself', () => {
    const ways = waysOfInstruction(program, { function: 'learn', index: 6 });
    expect(ways.map(({ how }) => how)).toEqual(['removed', 'm1 = m0']);
  });
});

describe('waysOfSection', () => {
  const at = (index: number) => ({ function: 'learn', index }) as const;
  const ways = (text: string, ...members: number[]) => {
    const source = parseProgram(`def Setup():\ndef Predict():\ndef Learn():\n${text}`);
    return waysOfSection(source, members.map(at), at(members.at(-1)!)).map(({ how }) => how);
  };

  it('bypasses from what the section is given to its output', () => {
    expect(ways('s3 = sin(s2)\ns4 = s3 + s5', 0, 1)).toEqual(['removed', 's4 = s2', 's4 = s5']);
  });

  it('does not copy an input that is overwritten before the output', () => {
    expect(ways('s3 = sin(s2)\ns2 = 0.5\ns4 = s3 + s5', 0, 2)).toEqual(['removed', 's4 = s5']);
  });
});
