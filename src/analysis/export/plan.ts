// What an exported class consists of, in no language yet: which values are fields, which are local, which are parameters of
// the constructor, and the statements of its three functions. Must not know languages.
import { type Loss, labelKind } from '../../engine/engine.js';
import { opById } from '../../ops/ops.js';
import type { Op, OperandType } from '../../ops/types.js';
import { liveness, randomOrdinals } from '../../program/liveness.js';
import { printInstruction } from '../../program/print.js';
import {
  type ForFunctions,
  FUNCTION_NAMES,
  type FunctionName,
  forFunctions,
  type Instruction,
  type Program,
  TASK_ADDRESSES,
  type TaskAddresses,
} from '../../program/program.js';
import type { Explanation } from '../explain/explanation.js';
import { type CarriedValues, findCarriedValues } from './carried-values.js';

/**
 * Where a value lives. zero: nowhere, because nothing else is ever there; given: an argument of the function; parameter: of
 * the constructor.
 */
export interface Value {
  readonly kind: 'zero' | 'given' | 'parameter' | 'field' | 'local';
  readonly type: OperandType;
  /** The address, as `s3`. */
  readonly key: string;
  /** What it is to the task: named so wherever it is that and nothing else. */
  readonly role?: keyof TaskAddresses;
}

export interface Statement {
  readonly op: Op;
  readonly instruction: Instruction;
  readonly inputs: readonly Value[];
  readonly output: Value;
  /** Keys the draws of a random instruction. */
  readonly ordinal: number;
  /** The parameter that gives the value, instead of a constant. */
  readonly parameter?: Parameter;
  /** The instruction as printed, and what is known of it. */
  readonly comment: string;
}

export interface PlannedFunction {
  readonly name: FunctionName;
  readonly statements: readonly Statement[];
  /** The arguments that it needs, of those that it could be given. */
  readonly given: readonly (keyof TaskAddresses)[];
  /** Arrays whose elements are set here although others may hold on to them. */
  readonly copied: readonly Value[];
  /** Local arrays that begin as zeros, because only elements of them are set. */
  readonly zeroed: readonly Value[];
}

/** A constant of Setup that has a name: the user may choose another. */
export interface Parameter {
  readonly key: string;
  /** In lower case words. */
  readonly name: string;
  readonly value: number;
  /** Whether nothing else is ever written there. */
  readonly isConstant: boolean;
  readonly comment: string;
}

export interface Plan {
  readonly loss: Loss;
  readonly functions: ForFunctions<PlannedFunction>;
  /** In the order of scalars, vectors, matrices, then of addresses. */
  readonly fields: readonly Value[];
  /** Fields that Setup does not make whole, and which begin as zeros. */
  readonly zeroFields: readonly Value[];
  readonly parameters: readonly Parameter[];
  /** The prediction outlives Predict and Learn: a field. Otherwise it is returned and given. */
  readonly keepsPrediction: boolean;
  /** Draws depend on how many examples were seen. */
  readonly countsSteps: boolean;
  readonly isRandom: boolean;
  /** Predicting changes later predictions. */
  readonly isStateful: boolean;
  /** Nothing is divided, so that zeros of both signs are alike. */
  readonly ignoresZeroSigns: boolean;
  readonly names: ReadonlyMap<string, string>;
}

interface LiveInstruction {
  readonly instruction: Instruction;
  readonly op: Op;
  readonly ordinal: number;
  readonly comment: string;
}

type LiveFunctions = ForFunctions<readonly LiveInstruction[]>;

/** What ends a line in some language, and the marks of our templates. */
const BREAKERS = /[\p{C}\p{Zl}\p{Zp}⟦⟧]+/gu;

/** A text that cannot leave the comment that it is put into. */
export function commentText(text: string): string {
  return text.replace(BREAKERS, ' ').trim();
}

function liveInstructions(program: Program, loss: Loss, { comments }: Explanation): LiveFunctions {
  const labels = labelKind(loss);
  const live = liveness(program, labels);
  const ordinals = randomOrdinals(program, labels);
  return forFunctions((name) =>
    program[name].flatMap((instruction, k) => {
      if (!live[name][k]) return [];
      const about = commentText(comments[name][k] ?? '');
      const comment = `${printInstruction(instruction)}${about === '' ? '' : `: ${about}`}`;
      return [{ instruction, op: opById(instruction.op), ordinal: ordinals[name][k]!, comment }];
    }),
  );
}

function outputKey({ op, instruction }: LiveInstruction): string {
  return op.output! + instruction.out;
}

function inputKeys({ op, instruction: { in1, in2 } }: LiveInstruction): string[] {
  return op.inputs.map((type, k) => type + [in1, in2][k]!);
}

/** The constants of Setup that have names and that nothing touches before. */
function findParameters(live: LiveFunctions, names: ReadonlyMap<string, string>, isTaskKey: (key: string) => boolean) {
  const parameters = new Map<LiveInstruction, Parameter>();
  const writes = FUNCTION_NAMES.flatMap((name) => live[name].map(outputKey));
  const touched = new Set<string>();
  for (const item of live.setup) {
    const key = outputKey(item);
    const name = names.get(key);
    if (item.op.shape === 'fillConst' && item.op.indices === 0 && name !== undefined) {
      if (!touched.has(key) && !isTaskKey(key)) {
        const isConstant = writes.filter((other) => other === key).length === 1;
        parameters.set(item, {
          key,
          name: isConstant ? name : `initial ${name}`,
          value: item.instruction.const1,
          isConstant,
          comment: item.comment,
        });
      }
    }
    for (const other of [key, ...inputKeys(item)]) touched.add(other);
  }
  return parameters;
}

/** Follows the values of each address through the functions. */
class Planner {
  private readonly roles: ReadonlyMap<string, keyof TaskAddresses>;
  private readonly carried: CarriedValues;
  private readonly written: ReadonlySet<string>;
  readonly parameters: ReadonlyMap<LiveInstruction, Parameter>;
  private readonly constants: ReadonlySet<string>;
  readonly keepsPrediction: boolean;
  private readonly live: LiveFunctions;

  constructor(live: LiveFunctions, loss: Loss, names: ReadonlyMap<string, string>) {
    const labels = labelKind(loss);
    const addresses = Object.entries(TASK_ADDRESSES[labels]) as [
      keyof TaskAddresses,
      { type: string; address: number },
    ][];
    this.live = live;
    this.roles = new Map(addresses.map(([role, { type, address }]) => [type + address, role]));
    this.carried = findCarriedValues(
      forFunctions((name) => live[name].map(({ instruction }) => instruction)),
      labels,
    );
    this.written = new Set(FUNCTION_NAMES.flatMap((name) => live[name].map(outputKey)));
    this.parameters = findParameters(live, names, (key) => this.roles.has(key));
    this.constants = new Set([...this.parameters.values()].flatMap((p) => (p.isConstant ? [p.key] : [])));
    const { type, address } = TASK_ADDRESSES[labels].prediction;
    this.keepsPrediction = this.carried.atStart.predict.has(type + address);
  }

  /** Whether Predict changes something that a later Predict reads. */
  changesPredictions(): boolean {
    return this.live.predict.some((item) => this.carried.atStart.predict.has(outputKey(item)) && !this.isGiven(item));
  }

  /** Other fields are always written by Predict first. */
  isReadAfterSetup(key: string): boolean {
    return this.carried.atEnd.setup.has(key);
  }

  private isGiven(item: LiveInstruction): boolean {
    return ['features', 'label'].includes(this.roles.get(outputKey(item)) ?? '');
  }

  /** The value of an address after it was replaced `version` times in a function, of `versions` in all. */
  private valueOf(name: FunctionName, key: string, version: number, versions: number): Value {
    const type = key[0] as OperandType;
    const role = this.roles.get(key);
    if (this.constants.has(key)) return { kind: 'parameter', type, key };
    if (version === versions && this.carried.atEnd[name].has(key)) {
      if (role !== 'prediction') return { kind: this.written.has(key) ? 'field' : 'zero', type, key };
      if (this.keepsPrediction) return { kind: 'field', type, key, role };
      // Predict returns it.
      return { kind: 'local', type, key, role };
    }
    if (version > 0) {
      const isPrediction = role === 'prediction' && name === 'predict';
      return isPrediction ? { kind: 'local', type, key, role } : { kind: 'local', type, key };
    }
    if (name === 'setup' || (name === 'predict' && role === 'label')) return { kind: 'zero', type, key };
    if (role === 'prediction' && this.keepsPrediction) return { kind: 'field', type, key, role };
    if (role !== undefined) return { kind: 'given', type, key, role };
    return { kind: this.written.has(key) ? 'field' : 'zero', type, key };
  }

  plan(name: FunctionName): PlannedFunction {
    const items = this.live[name];
    const versions = new Map<string, number>();
    const current = new Map<string, number>();
    const step = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const item of items) if (item.op.overwrites) step(versions, outputKey(item));
    const copied = new Map<string, Value>();
    const zeroed = new Map<string, Value>();
    const given = new Set<keyof TaskAddresses>();
    const valueNow = (key: string): Value => {
      const version = current.get(key) ?? 0;
      const value = this.valueOf(name, key, version, versions.get(key) ?? 0);
      if (value.kind === 'given') given.add(value.role!);
      return version === 0 && zeroed.has(key) ? zeroed.get(key)! : value;
    };
    const statements = items.flatMap((item): Statement[] => {
      const key = outputKey(item);
      const isFirst = (current.get(key) ?? 0) === 0;
      const inputs = inputKeys(item).map(valueNow);
      if (item.op.overwrites) step(current, key);
      else if (isFirst) {
        const value = valueNow(key);
        if (value.kind === 'zero') zeroed.set(key, { kind: 'local', type: value.type, key });
        // The caller's row, or an array that a copy of the model shares with it.
        if (value.role === 'features' || (value.kind === 'field' && name === 'predict')) copied.set(key, value);
      }
      const output = valueNow(key);
      if (output.kind === 'parameter') return [];
      const parameter = this.parameters.get(item);
      return [{ ...item, inputs, output, ...(parameter !== undefined && { parameter }) }];
    });
    return { name, statements, given: [...given], copied: [...copied.values()], zeroed: [...zeroed.values()] };
  }
}

function compareKeys(a: Value, b: Value): number {
  const rank = (value: Value) => 'svm'.indexOf(value.type) * 2 ** 32 + Number(value.key.slice(1));
  return rank(a) - rank(b);
}

export function planExport(program: Program, loss: Loss, explanation: Explanation): Plan {
  const live = liveInstructions(program, loss, explanation);
  const planner = new Planner(live, loss, explanation.names);
  const functions = forFunctions((name) => planner.plan(name));
  const values = FUNCTION_NAMES.flatMap((name) => functions[name].statements.flatMap((s) => [s.output, ...s.inputs]));
  const fields = new Map(values.filter(({ kind }) => kind === 'field').map((value) => [value.key, value]));
  if (planner.keepsPrediction) {
    const { type, address } = TASK_ADDRESSES[labelKind(loss)].prediction;
    fields.set(type + address, { kind: 'field', type, key: type + address, role: 'prediction' });
  }
  const sorted = [...fields.values()].sort(compareKeys);
  const made = functions.setup.statements.filter(({ op, output }) => op.overwrites && output.kind === 'field');
  const ops = FUNCTION_NAMES.flatMap((name) => live[name].map(({ op }) => op));
  const countsSteps = [...live.predict, ...live.learn].some(({ op }) => op.random);
  const divides = (op: Op) =>
    (op.shape === 'map2' && op.fn === 'divide') || (op.shape === 'map1' && op.fn === 'reciprocal');
  return {
    loss,
    functions,
    fields: sorted,
    zeroFields: sorted.filter(
      ({ key }) => planner.isReadAfterSetup(key) && !made.some(({ output }) => output.key === key),
    ),
    parameters: [...planner.parameters.values()],
    keepsPrediction: planner.keepsPrediction,
    countsSteps,
    isRandom: ops.some(({ random }) => random),
    isStateful: countsSteps || planner.changesPredictions(),
    ignoresZeroSigns: !ops.some(divides),
    names: explanation.names,
  };
}
