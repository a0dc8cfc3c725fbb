import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Case, checkCase, readVectors, TOLERANCE } from '../../src/engine/conformance.js';
import type { Engine } from '../../src/engine/engine.js';
import { ENGINES } from '../../src/engine/engines.js';
import { interpreter } from '../../src/engine/interpreter.js';
import { OPS } from '../../src/ops/ops.js';

// Made by the C++ original; not part of the project, but beside every checkout that is developed or tested.
const ORIGINAL = new URL('../../../shared/golden/', import.meta.url);

// Ours: what the original's vectors do not reach, worked out by hand.
const OWN = new URL('../golden/', import.meta.url);

function readFolder(folder: URL): Case[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readVectors(readFileSync(new URL(file, folder), 'utf8')));
}

const original = readFolder(ORIGINAL);
const cases = [...original, ...readFolder(OWN)];

/** The engine, whose evaluators checkCase does not dispose of: other files count what is in the memory that they share. */
function givingBack(engine: Engine): Engine {
  return {
    ...engine,
    prepare(...args) {
      const evaluator = engine.prepare(...args);
      onTestFinished(() => evaluator.dispose());
      return evaluator;
    },
  };
}

describe('golden vectors', () => {
  it('are all there, and cover every deterministic op', () => {
    expect(original.filter(({ kind }) => kind === 'op')).toHaveLength(413);
    expect(original.filter(({ kind }) => kind === 'program')).toHaveLength(1000);
    const covered = new Set(cases.map((c) => (c.kind === 'op' ? c.instruction.op : -1)));
    expect(OPS.filter(({ id, random }) => !random && !covered.has(id))).toEqual([]);
  });

  it.each(ENGINES)('$name agrees with them', (engine) => {
    const kept = givingBack(engine);
    const worst = cases.map((c) => checkCase(kept, c)).reduce((a, b) => Math.max(a, b));
    expect(worst).toBeLessThanOrEqual(TOLERANCE);
  });

  it('would show a difference in any op', () => {
    // The same suite, on an engine that runs another op instead: every op has a case that tells.
    for (const op of OPS.filter(({ random, output }) => !random && output !== undefined)) {
      const wrong: Engine = {
        ...interpreter,
        execute(instruction, memory) {
          interpreter.execute(instruction, memory);
          const out = { s: [memory.scalars], v: memory.vectors, m: memory.matrices }[op.output!];
          const target = op.output === 's' ? out[0]! : out[instruction.out]!;
          const place = op.output === 's' ? instruction.out : op.indices === 0 ? 0 : instruction.index1;
          target[place] = target[place]! * (1 + 1e-8) + 1e-300;
        },
      };
      const own = cases.filter((c) => c.kind === 'op' && c.instruction.op === op.id);
      expect(
        own.some((c) => !(checkCase(wrong, c) <= TOLERANCE)),
        op.name,
      ).toBe(true);
    }
  });

  it('would show a difference in the training loop', () => {
    const first = cases.find((c) => c.kind === 'program')!;
    for (const change of [
      { fitness: first.fitness * (1 + 1e-8) },
      { trainErrors: first.trainErrors.slice(1) },
      { validErrors: first.validErrors.map((e, k) => (k === 3 ? e + 1e-6 : e)) },
    ]) {
      expect(checkCase(interpreter, { ...first, ...change })).toBeGreaterThan(TOLERANCE);
    }
  });
});

const EXAMPLES = '"x":[[1,2],[3,4]],"y":[0,1]';

describe('vectors that cannot be read', () => {
  it.each([
    [
      '{"F":2,"instruction":{"op":1,"in1":0,"in2":0,"out":0},"before":{"s":[1],"v":[],"m":[]},"after":{"s":[],"v":[],"m":[]}}',
      /^line 1: before and after differ in size/,
    ],
    [
      '{"F":2,"instruction":{"op":59,"out":0,"value":1},"before":{"s":[1],"v":[],"m":[]},"after":{"s":[1],"v":[],"m":[]}}',
      /^line 1: op 59 draws random numbers/,
    ],
    [
      `{"task":0,"F":1,"eval":"rms","train":{"x":[[1]],"y":[1]},"valid":{"x":[[1]],"y":[1]}}`,
      /^line 1: a task needs at least 2 features, not 1/,
    ],
    [
      `{"task":0,"F":2,"eval":"rms","train":{"x":[],"y":[]},"valid":{${EXAMPLES}}}`,
      /^line 1: a task needs at least one training example/,
    ],
    [
      `{"task":0,"F":2,"eval":"rms","train":{"x":[["NaN",1]],"y":[1]},"valid":{${EXAMPLES}}}`,
      /^line 1: .*features that are not finite/,
    ],
    [`{"task":0,"F":2,"eval":"rank","train":{${EXAMPLES}},"valid":{${EXAMPLES}}}`, /^line 1: unknown eval "rank"/],
    [
      `{"task":0,"F":2,"eval":"rms","train":{${EXAMPLES}},"valid":{${EXAMPLES}}}\n{"program":{},"task":0,"F":3}`,
      /^line 2: F is 3, and that of its task 2/,
    ],
    ['{', /^line 1: not valid JSON/],
    ['{}', /^line 1: neither an op, a task nor a program/],
    ['{"F":2,"instruction":{"op":99},"before":{},"after":{}}', /^line 1: there is no op 99/],
    ['\n{"program":{},"task":3}', /^line 2: there is no task 3 above/],
    [
      '{"F":2,"instruction":{"op":1,"in1":0,"in2":9,"out":0},"before":{"s":[1],"v":[],"m":[]},"after":{"s":[1],"v":[],"m":[]}}',
      /^line 1: .*s9 is out of range/,
    ],
    ['{"F":2,"instruction":{"op":0},"before":{"s":["x"],"v":[],"m":[]},"after":{}}', /^line 1: s is not a number/],
  ])('%s', (text, message) => {
    expect(() => readVectors(text)).toThrow(message);
  });
});
