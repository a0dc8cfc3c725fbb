// Compares the live code of a program in a store, as the analyser finds it, with that of the program itself.
import { expect } from 'vitest';
import { canonicalHash } from '../../src/program/canonical.js';
import type { CodeAnalyser } from '../../src/program/flat/code-analyser.js';
import type { CodeStore } from '../../src/program/flat/code-store.js';
import { LiveCode } from '../../src/program/flat/live-code.js';
import { simplify } from '../../src/program/liveness.js';
import { PREDICTION_SLOT } from '../../src/program/liveness-analysis.js';
import { FUNCTION_NAMES, type MemorySizes, type Program } from '../../src/program/program.js';
import { hashToHex } from '../../src/util/hash.js';
import { storeOf } from './stores.js';

/** Slots have other numbers in a store than in a program: named here in the order in which they occur. */
function describeLive(code: LiveCode) {
  const names = new Map<number, string>();
  const nameOf = (slot: number) => {
    if (slot < 0) return 'none';
    if (!names.has(slot))
      names.set(slot, `${slot <= PREDICTION_SLOT ? slot : names.size + 10} type ${code.slotType[slot]}`);
    return names.get(slot)!;
  };
  const instructions = Array.from({ length: code.end }, (_, k) => ({
    op: code.ops[k],
    out: nameOf(code.out[k]!),
    in1: nameOf(code.in1[k]!),
    in2: nameOf(code.in2[k]!),
    marks: code.marks[k],
    indices: [code.index1[k], code.index2[k]],
    constants: [code.constants[2 * k], code.constants[2 * k + 1]],
  }));
  return { firstOfPredict: code.firstOfPredict, firstOfLearn: code.firstOfLearn, end: code.end, instructions };
}

/** Fails unless the analyser found in a store what there is in the program. */
export function expectSame({ live: actual, high, low }: CodeAnalyser, program: Program): void {
  const expected = new LiveCode(actual.labels);
  expected.setProgram(program);
  expect(describeLive(actual)).toStrictEqual(describeLive(expected));
  expect(hashToHex(high, low)).toBe(canonicalHash(program, actual.labels));
  // And what is live is what the definition says.
  const live = simplify(program, actual.labels);
  const ops = FUNCTION_NAMES.flatMap((name) => live[name].map(({ op }) => op));
  expect([...actual.ops.subarray(0, actual.end)]).toEqual(ops);
  expect([actual.firstOfPredict, actual.firstOfLearn]).toEqual([
    live.setup.length,
    live.setup.length + live.predict.length,
  ]);
}

/** A store whose three functions have room for as many instructions each. */
export function equalStore(programs: readonly Program[], memory: MemorySizes, length: number): CodeStore {
  return storeOf(programs, memory, { setup: length, predict: length, learn: length });
}
