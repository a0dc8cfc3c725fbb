import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Evaluator, Loss } from '../../src/engine/engine.js';
import { interpreter } from '../../src/engine/interpreter.js';
import { OPS, opById } from '../../src/ops/ops.js';
import type { OperandType } from '../../src/ops/types.js';
import { canonicalHash, canonicalize } from '../../src/program/canonical.js';
import { programFromJson, programToJson } from '../../src/program/json.js';
import { type Liveness, liveness, simplify } from '../../src/program/liveness.js';
import { parseSource } from '../../src/program/parse.js';
import { printProgram } from '../../src/program/print.js';
import {
  FUNCTION_NAMES,
  type FunctionName,
  type Instruction,
  type LabelKind,
  memorySize,
  type Program,
  programProblem,
  TASK_ADDRESSES,
} from '../../src/program/program.js';
import { RandomStream } from '../../src/util/random.js';
import { countRuns } from '../support/amount.js';
import { anyConstant, arbitraryProgram, SMALL_MEMORY, smallTask, withPrediction } from '../support/arbitraries.js';

const labelKinds = fc.constantFrom<LabelKind>('scalar', 'vector');

const LOSSES: { readonly [kind in LabelKind]: readonly { loss: Loss; features: number }[] } = {
  scalar: (['rms', 'accuracy'] as const).flatMap((loss) => [2, 3].map((features) => ({ loss, features }))),
  vector: [{ loss: 'multiclass', features: 10 }],
};

function evaluators(labels: LabelKind): Evaluator[] {
  return LOSSES[labels].map(({ loss, features }) =>
    interpreter.prepare([smallTask(features, loss, 7)], { epochs: 2, trace: true }),
  );
}

const EVALUATORS = { scalar: evaluators('scalar'), vector: evaluators('vector') };

/** Every number that Predict ever leaves, over two epochs, and what the engine makes of them. */
function behaviour(program: Program, labels: LabelKind): unknown {
  return EVALUATORS[labels].map((evaluator) => evaluator.evaluate(program));
}

const cases = fc
  .record({ program: arbitraryProgram(), labels: labelKinds })
  .map(({ program, labels }) => ({ program: withPrediction(program, labels), labels }));

const RUNS = { numRuns: countRuns(400) };

describe('text and JSON', () => {
  it('parse what they print, to the bit', () => {
    fc.assert(
      fc.property(arbitraryProgram({ constant: anyConstant }), labelKinds, (program, labels) => {
        expect(parseSource(printProgram(program, labels))).toStrictEqual({ program, labels });
        const json = JSON.parse(JSON.stringify(programToJson(program, labels)));
        expect(programFromJson(json)).toStrictEqual({ program, labels });
      }),
      RUNS,
    );
  });
});

describe('simplify', () => {
  it('never changes a prediction, and is idempotent', () => {
    fc.assert(
      fc.property(cases, ({ program, labels }) => {
        const simplified = simplify(program, labels);
        expect(behaviour(simplified, labels)).toStrictEqual(behaviour(program, labels));
        expect(simplify(simplified, labels)).toStrictEqual(simplified);
      }),
      RUNS,
    );
  });

  it('removes exactly what no unrolled run can carry to a prediction', () => {
    fc.assert(
      fc.property(cases, ({ program, labels }) => {
        expect(liveness(program, labels)).toStrictEqual(livenessByUnrolling(program, labels));
      }),
      { numRuns: countRuns(1000) },
    );
  });

  it('keeps instructions that matter: without a live one, predictions mostly change', () => {
    let changed = 0;
    const runs = countRuns(300);
    fc.assert(
      fc.property(cases, fc.nat(), ({ program, labels }, pick) => {
        const simplified = simplify(program, labels);
        const places = FUNCTION_NAMES.flatMap((name) => simplified[name].map((_, k) => ({ name, k })));
        const place = places[pick % Math.max(1, places.length)];
        if (place === undefined) return;
        const body = simplified[place.name].filter((_, k) => k !== place.k);
        const before = JSON.stringify(behaviour(simplified, labels));
        if (JSON.stringify(behaviour({ ...simplified, [place.name]: body }, labels)) !== before) changed++;
      }),
      { numRuns: runs, seed: 1 },
    );
    expect(changed).toBeGreaterThan(runs / 3);
  });
});

/** Runs of every kind: no training, one epoch, several, and random ones in which Learn follows only Predict. */
const CALLS: readonly (readonly FunctionName[])[] = (() => {
  const random = new RandomStream(4);
  const repeat = (...names: FunctionName[]) => Array.from({ length: 8 }, () => names).flat();
  const epoch = [...repeat('predict', 'learn'), ...repeat('predict')];
  const mixed = (): FunctionName[] =>
    Array.from({ length: 16 }, (): FunctionName[] =>
      random.uniform() < 0.5 ? ['predict'] : ['predict', 'learn'],
    ).flat();
  const short = Array.from({ length: 256 }, (_, bits) =>
    Array.from({ length: 7 }, (_, k): FunctionName[] => ((bits >> k) & 1 ? ['predict', 'learn'] : ['predict'])).flat(),
  );
  return [...short, repeat('predict'), epoch, [...epoch, ...epoch], ...Array.from({ length: 40 }, mixed)];
})();

/**
 * Liveness by another way: unroll long runs and go back from every prediction along the single executions. An instruction
 * is live if one of its executions was needed.
 */
function livenessByUnrolling(program: Program, labels: LabelKind): Liveness {
  const { features, label, prediction } = TASK_ADDRESSES[labels];
  const name = (type: string, address: number) => type + address;
  const live = {
    setup: program.setup.map(() => false),
    predict: program.predict.map(() => false),
    learn: program.learn.map(() => false),
  };
  for (const calls of CALLS) {
    /** Whole addresses that are needed, and, of some of them, the elements that are not. */
    const needed = new Map<string, Set<string>>();
    for (const call of [...calls].reverse().concat('setup')) {
      if (call === 'predict') needed.set(name(prediction.type, prediction.address), new Set());
      for (let k = program[call].length - 1; k >= 0; k--) {
        const { op: id, in1, in2, out, index1, index2 } = program[call][k]!;
        const op = opById(id);
        const target = name(op.output ?? 'none', out);
        const element = `${index1},${index2}`;
        const missing = needed.get(target);
        if (missing === undefined || (!op.overwrites && missing.has(element))) continue;
        live[call][k] = true;
        if (op.overwrites) needed.delete(target);
        else missing.add(element);
        for (const [j, type] of op.inputs.entries()) needed.set(name(type, j === 0 ? in1 : in2), new Set());
      }
      if (call === 'setup') continue;
      needed.delete(name(features.type, features.address));
      needed.delete(name(label.type, label.address));
    }
  }
  return live;
}

/** The program with every address replaced by another, those with a fixed meaning excepted. */
function renameAddresses(program: Program, labels: LabelKind, seed: number): Program {
  const fixed = new Set(Object.values(TASK_ADDRESSES[labels]).map(({ type, address }) => type + address));
  const permutation = (type: OperandType): ((address: number) => number) => {
    const free = Array.from({ length: memorySize(SMALL_MEMORY, type) }, (_, k) => k).filter(
      (k) => !fixed.has(type + k),
    );
    const shift = seed % Math.max(1, free.length);
    const moved = [...free.slice(shift), ...free.slice(0, shift)].reverse();
    return (address) => (free.includes(address) ? moved[free.indexOf(address)]! : address);
  };
  const rename = { s: permutation('s'), v: permutation('v'), m: permutation('m') };
  const change = (instruction: Instruction): Instruction => {
    const op = opById(instruction.op);
    const { in1, in2, out } = instruction;
    return {
      ...instruction,
      in1: op.inputs[0] === undefined ? in1 : rename[op.inputs[0]](in1),
      in2: op.inputs[1] === undefined ? in2 : rename[op.inputs[1]](in2),
      out: op.output === undefined ? out : rename[op.output](out),
    };
  };
  return mapInstructions(program, change);
}

function mapInstructions(program: Program, change: (instruction: Instruction, k: number) => Instruction): Program {
  return { setup: program.setup.map(change), predict: program.predict.map(change), learn: program.learn.map(change) };
}

function swapCommutative(program: Program, seed: number): Program {
  return mapInstructions(program, (instruction, k) =>
    opById(instruction.op).commutes && (seed >> (k % 8)) & 1
      ? { ...instruction, in1: instruction.in2, in2: instruction.in1 }
      : instruction,
  );
}

/** The program with instructions added that cannot matter: no-ops, and writes just before an overwrite. */
function addDeadCode(program: Program, seed: number): Program {
  const noOp: Instruction = { op: 0, in1: 0, in2: 0, out: 0, index1: 0, index2: 0, const1: 0, const2: 0 };
  const grow = (body: readonly Instruction[]) =>
    body.flatMap((instruction, k) => {
      const op = opById(instruction.op);
      if ((seed >> (k % 8)) % 2 === 0) return [noOp, instruction];
      if (
        !op.overwrites ||
        op.inputs.some(
          (type, j) => type === op.output && (j === 0 ? instruction.in1 : instruction.in2) === instruction.out,
        )
      )
        return [instruction];
      const filler = OPS.find((other) => other.random && other.output === op.output)!;
      return [{ ...noOp, op: filler.id, out: instruction.out, const1: 0.5, const2: 0.25 }, instruction];
    });
  return { setup: grow(program.setup), predict: grow(program.predict), learn: grow(program.learn) };
}

/** The fields of an instruction that decide what it computes, whatever the addresses are called. */
function changeableFields({ op }: Instruction): ('index1' | 'index2' | 'const1' | 'const2')[] {
  const { indices, constantSpecs } = opById(op);
  return [
    ...(['index1', 'index2'] as const).slice(0, indices),
    ...(['const1', 'const2'] as const).slice(0, constantSpecs.length),
  ];
}

describe('the canonical form', () => {
  it('never changes a prediction, is idempotent, and fits the same memory', () => {
    fc.assert(
      fc.property(cases, ({ program, labels }) => {
        const canonical = canonicalize(program, labels);
        expect(behaviour(canonical, labels)).toStrictEqual(behaviour(program, labels));
        expect(canonicalize(canonical, labels)).toStrictEqual(canonical);
        expect(programProblem(canonical, SMALL_MEMORY)).toBeUndefined();
      }),
      RUNS,
    );
  });

  it('is shared by programs that differ in address names, dead code and the order of commutative inputs', () => {
    fc.assert(
      fc.property(cases, fc.nat(255), ({ program, labels }, seed) => {
        const canonical = canonicalize(program, labels);
        const hash = canonicalHash(program, labels);
        const changed = addDeadCode(swapCommutative(renameAddresses(program, labels, seed), seed), seed);
        expect(canonicalize(changed, labels)).toStrictEqual(canonical);
        expect(canonicalHash(changed, labels)).toBe(hash);
      }),
      { numRuns: countRuns(2000) },
    );
  });

  it('and its hash change with any one field of any live instruction', () => {
    fc.assert(
      fc.property(cases, fc.nat(), ({ program, labels }, pick) => {
        const simplified = simplify(program, labels);
        const before = canonicalHash(simplified, labels);
        for (const name of FUNCTION_NAMES) {
          for (const [k, instruction] of simplified[name].entries()) {
            const fields = changeableFields(instruction);
            const field = fields[pick % Math.max(1, fields.length)];
            if (field === undefined) continue;
            const body = simplified[name].with(k, { ...instruction, [field]: instruction[field] + 1 });
            expect(canonicalHash({ ...simplified, [name]: body }, labels), `${field} of ${name}[${k}]`).not.toBe(
              before,
            );
          }
        }
      }),
      { numRuns: countRuns(1000) },
    );
  });

  it('has another hash where its text differs', () => {
    const hashes = new Map<string, string>();
    fc.assert(
      fc.property(cases, ({ program, labels }) => {
        const text = printProgram(canonicalize(program, labels), labels);
        const hash = canonicalHash(program, labels);
        expect(hashes.get(hash) ?? text).toBe(text);
        hashes.set(hash, text);
      }),
      { numRuns: countRuns(5000) },
    );
    expect(new Set(hashes.values()).size).toBe(hashes.size);
  });
});
