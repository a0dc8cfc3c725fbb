// What can be said of a program before it runs, separately for training and validation: which instructions matter there, which
// matrices are still read, and which values follow from the examples and random draws alone. Must not run anything.
import { opById } from '../../ops/ops.js';
import type { Op } from '../../ops/types.js';
import { randomOrdinals } from '../../program/liveness.js';
import {
  type Address,
  type FunctionName,
  forFunctions,
  type Instruction,
  type LabelKind,
  type Program,
  TASK_ADDRESSES,
} from '../../program/program.js';

export interface PlannedInstruction {
  readonly op: Op;
  readonly instruction: Instruction;
  readonly ordinal: number;
}

/** One phase: its functions run one after the other for each example. */
export interface Phase {
  readonly functions: readonly PlannedFunction[];
  /** Addresses of the matrices that are read after an example before they are overwritten. */
  readonly liveMatrices: ReadonlySet<number>;
}

export interface PlannedFunction {
  readonly name: FunctionName;
  readonly code: readonly PlannedInstruction[];
  /** Those of them that compute the same whatever was learned. */
  readonly foreseeable: ReadonlySet<PlannedInstruction>;
  /** Those that multiply a matrix with a vector of which that is true. */
  readonly foreseeableProducts: ReadonlySet<PlannedInstruction>;
}

export interface Plan {
  readonly setup: readonly PlannedInstruction[];
  readonly training: Phase;
  readonly validation: Phase;
}

const keyOf = ({ type, address }: Address) => type + address;

function inputKeys({ op, instruction }: PlannedInstruction): string[] {
  return op.inputs.map((type, k) => type + (k === 0 ? instruction.in1 : instruction.in2));
}

function outputKey({ op, instruction }: PlannedInstruction): string {
  return op.output! + instruction.out;
}

/** The instructions that matter if `live` is read afterwards, and what is read before. */
function keepLive(code: readonly PlannedInstruction[], live: ReadonlySet<string>) {
  const before = new Set(live);
  const kept = code.filter(({ op }) => op.output !== undefined).reverse();
  const needed = kept.filter((planned) => {
    const output = outputKey(planned);
    if (!before.has(output)) return false;
    if (planned.op.overwrites) before.delete(output);
    for (const key of inputKeys(planned)) before.add(key);
    return true;
  });
  return { code: needed.reverse(), before };
}

export function isMatrixVector({ shape, output, inputs }: Op): boolean {
  return shape === 'contract' && output === 'v' && inputs[0] === 'm';
}

/** Whether an instruction computes the same whatever was learned, if only `learned` depends on that. */
function isForeseeable(planned: PlannedInstruction, learned: ReadonlySet<string>): boolean {
  const { op } = planned;
  if (op.output === 'm' || inputKeys(planned).some((key) => key.startsWith('m') || learned.has(key))) return false;
  return op.overwrites || !learned.has(outputKey(planned));
}

interface Role {
  readonly features: string;
  readonly label: string;
  readonly prediction: string;
}

/** Finds what is foreseeable in functions that are repeated for one example after the other. */
function foresee(functions: readonly { name: FunctionName; code: readonly PlannedInstruction[] }[], role: Role) {
  const learned = new Set<string>();
  /** One example; adds to `learned` what depends on it afterwards. */
  const pass = (): PlannedFunction[] => {
    const now = new Set(learned);
    const planned = functions.map(({ name, code }) => {
      now.delete(role.features);
      now.delete(role.label);
      if (name === 'learn') now.add(role.prediction);
      const foreseeable = new Set<PlannedInstruction>();
      const foreseeableProducts = new Set<PlannedInstruction>();
      for (const one of code) {
        if (isMatrixVector(one.op) && !now.has(inputKeys(one)[1]!)) foreseeableProducts.add(one);
        if (isForeseeable(one, now)) {
          foreseeable.add(one);
          if (one.op.overwrites) now.delete(outputKey(one));
        } else {
          now.add(outputKey(one));
        }
      }
      return { name, code, foreseeable, foreseeableProducts };
    });
    for (const key of now) learned.add(key);
    return planned;
  };
  for (;;) {
    const before = learned.size;
    const planned = pass();
    if (learned.size === before) return planned;
  }
}

export function planProgram(program: Program, labels: LabelKind, epochs: number): Plan {
  const ordinals = randomOrdinals(program, labels);
  const all = forFunctions((name) =>
    program[name].map(
      (instruction, k): PlannedInstruction => ({
        op: opById(instruction.op),
        instruction,
        ordinal: ordinals[name][k]!,
      }),
    ),
  );
  const { features, label, prediction } = TASK_ADDRESSES[labels];
  const role: Role = { features: keyOf(features), label: keyOf(label), prediction: keyOf(prediction) };
  /** Features and label are written before each function. */
  const beforeWriting = (live: ReadonlySet<string>) =>
    new Set([...live].filter((key) => key !== role.features && key !== role.label));
  // Read at the start of an example, in training and in validation: these grow until nothing is missing.
  let [train, valid] = [new Set<string>(), new Set<string>()];
  for (;;) {
    const afterTraining = new Set([...train, ...valid]);
    const afterValidation = epochs > 1 ? afterTraining : valid;
    const learn = keepLive(all.learn, afterTraining);
    const predict = keepLive(all.predict, new Set([...beforeWriting(learn.before), role.prediction]));
    const judge = keepLive(all.predict, new Set([...afterValidation, role.prediction]));
    const [nextTrain, nextValid] = [beforeWriting(predict.before), beforeWriting(judge.before)];
    if (nextTrain.size === train.size && nextValid.size === valid.size) {
      const matrices = (live: ReadonlySet<string>) =>
        new Set([...live].filter((key) => key.startsWith('m')).map((key) => Number(key.slice(1))));
      const trainingFunctions = [
        { name: 'predict' as const, code: predict.code },
        { name: 'learn' as const, code: learn.code },
      ];
      return {
        setup: keepLive(all.setup, afterTraining).code,
        training: { functions: foresee(trainingFunctions, role), liveMatrices: matrices(afterTraining) },
        validation: {
          functions: foresee([{ name: 'predict', code: judge.code }], role),
          liveMatrices: matrices(afterValidation),
        },
      };
    }
    [train, valid] = [nextTrain, nextValid];
  }
}
