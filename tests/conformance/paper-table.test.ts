// The op table of the paper itself, as its source prints it.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OPS } from '../../src/ops/ops.js';
import { parseProgram } from '../../src/program/parse.js';

const PAPER = new URL('../../../shared/paper/automl-zero.tex', import.meta.url);
const examples = [...readFileSync(PAPER, 'utf8').matchAll(/^OP(\d+) ?& \\textcode\{(.*?)\} &/gm)].map(
  ([, id, text]) => ({
    id: Number(id),
    // The printed example of OP40 is a sum, its description a difference (docs/fidelity.md).
    text: id === '40' ? text!.replace('+', '-') : text!.replaceAll('\\_', '_'),
  }),
);

describe("the paper's table", () => {
  it('has 65 examples', () => {
    expect(examples.map(({ id }) => id)).toEqual(Array.from({ length: 65 }, (_, k) => k));
  });

  it.each(examples)('OP$id is $text', ({ id, text }) => {
    const { learn } = parseProgram(`def Setup():\ndef Predict():\ndef Learn():\n${text}`);
    expect(OPS[learn[0]!.op]!.id).toBe(id);
  });
});
