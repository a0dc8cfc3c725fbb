// What a program computes, as values and the values they come from, whatever addresses it keeps them at: Setup, one step of
// training (Predict, then Learn) and validation (Predict alone). Must not know what values mean, nor compute them.
import type { Loss } from '../../engine/engine.js';
import { opById } from '../../ops/ops.js';
import type { OperandType } from '../../ops/types.js';
import {
  type ForFunctions,
  FUNCTION_NAMES,
  type FunctionName,
  type Instruction,
  type LabelKind,
  type Program,
  TASK_ADDRESSES,
} from '../../program/program.js';
import type { Place } from './explanation.js';

/** When a random value is drawn: once, anew in each step, in the step before, or in a later Predict of validation. */
type Phase = 'setup' | 'step' | 'earlier' | 'validation-2' | 'validation-3';

export interface Value {
  /** Values have greater numbers than those that they are made of. */
  readonly id: number;
  readonly type: OperandType;
  /** `carried` is what an address holds from the step before; `normalized` is the prediction as Learn sees it in classification. */
  readonly kind: 'zero' | 'features' | 'label' | 'carried' | 'normalized' | 'op';
  /** Of a carried value. */
  readonly address: string;
  /** Of the kind `op`. */
  readonly instruction: Instruction | undefined;
  readonly inputs: readonly Value[];
  /** Of a random op: when, and by which instruction. */
  readonly phase: Phase | undefined;
  readonly drawnAt: string;
  /** The instructions that compute it in Setup and in a step of training. */
  readonly places: Place[];
}

export type Memory = ReadonlyMap<string, Value>;

export interface Flow {
  readonly loss: Loss;
  /** In ascending order of their numbers. */
  readonly values: readonly Value[];
  readonly features: Value;
  readonly label: Value;
  /** After Setup. */
  readonly initial: Memory;
  /** When a step begins. */
  readonly start: Memory;
  readonly prediction: Value;
  /** The prediction as Learn finds it. */
  readonly seen: Value;
  /** When a step ends. */
  readonly next: Memory;
  /** The prediction in validation, once Predict has run a few times without Learn. */
  readonly validation: Value;
  /** What each instruction computes in a step. */
  readonly at: ForFunctions<readonly Value[]>;
}

/** Makes values; equal ones are one value. */
class Values {
  readonly all: Value[] = [];
  private readonly known = new Map<string, Value>();

  private make(key: string, parts: Partial<Value> & Pick<Value, 'type' | 'kind'>): Value {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const rest = { address: '', instruction: undefined, inputs: [], phase: undefined, drawnAt: '' };
    const value: Value = { ...rest, ...parts, id: this.all.length, places: [] };
    this.all.push(value);
    this.known.set(key, value);
    return value;
  }

  leaf(kind: 'zero' | 'features' | 'label' | 'carried', type: OperandType, address = ''): Value {
    return this.make(`${kind} ${type} ${address}`, { kind, type, address });
  }

  normalized(prediction: Value): Value {
    return this.make(`normalized ${prediction.id}`, {
      kind: 'normalized',
      type: prediction.type,
      inputs: [prediction],
    });
  }

  op(instruction: Instruction, inputs: readonly Value[], phase: Phase | undefined, drawnAt: string): Value {
    const op = opById(instruction.op);
    const ids = inputs.map(({ id }) => id);
    if (op.commutes) ids.sort((a, b) => a - b);
    const { index1, index2, const1, const2 } = instruction;
    const drawn = op.random ? { phase, drawnAt } : { phase: undefined, drawnAt: '' };
    const key = [op.id, ...ids, index1, index2, const1, const2, drawn.phase, drawn.drawnAt].join(' ');
    return this.make(key, { kind: 'op', type: op.output!, instruction, inputs, ...drawn });
  }
}

export function addressOf(type: OperandType, address: number): string {
  return type + address;
}

function typeOf(address: string): OperandType {
  return address[0] as OperandType;
}

interface Execution {
  readonly values: Values;
  readonly memory: Map<string, Value>;
  readonly phase: Phase;
}

/** Follows a function's instructions; what they compute goes into the memory and is returned in their order. */
function execute(
  instructions: readonly Instruction[],
  name: FunctionName,
  { values, memory, phase }: Execution,
): Value[] {
  const read = (type: OperandType, address: number) =>
    memory.get(addressOf(type, address)) ?? values.leaf('zero', type);
  return instructions.map((instruction, k) => {
    const op = opById(instruction.op);
    const addresses = [instruction.in1, instruction.in2];
    const inputs = op.inputs.map((type, i) => read(type, addresses[i]!));
    // Setting one element keeps the others.
    if (!op.overwrites) inputs.push(read(op.output!, instruction.out));
    const value = values.op(instruction, inputs, phase, `${name} ${k}`);
    memory.set(addressOf(op.output!, instruction.out), value);
    return value;
  });
}

function reaches(from: Value, to: Value): boolean {
  const visited = new Set<Value>();
  const visit = (value: Value): boolean => {
    if (value === to) return true;
    if (visited.has(value) || value.id < to.id) return false;
    visited.add(value);
    return value.inputs.some(visit);
  };
  return visit(from);
}

/** Everything that a value is made of, itself included, without going below the values in `cut`. */
export function madeOf(value: Value, cut: readonly Value[] = []): Set<Value> {
  const found = new Set<Value>();
  const visit = (v: Value) => {
    if (found.has(v)) return;
    found.add(v);
    if (!cut.includes(v)) for (const input of v.inputs) visit(input);
  };
  visit(value);
  return found;
}

/**
 * What an address holds when a step begins, if all of it can be said by constants, draws and what other addresses carry: a
 * program may prepare in Learn what the next Predict needs.
 */
function derive(address: string, next: Memory, start: Memory, values: Values): Value | undefined {
  const states = [...next].filter(([other, value]) => {
    const held = start.get(other)!;
    return other !== address && held.kind === 'carried' && reaches(value, held);
  });
  const rewrite = (value: Value): Value | undefined => {
    const state = states.find(([, held]) => held === value);
    if (state !== undefined) return start.get(state[0])!;
    if (value.kind === 'zero') return value;
    if (value.kind !== 'op') return undefined;
    if (value.phase === 'earlier') return undefined;
    const inputs = value.inputs.map(rewrite);
    if (inputs.includes(undefined)) return undefined;
    const phase = value.phase === 'step' ? 'earlier' : value.phase;
    return values.op(value.instruction!, inputs as Value[], phase, value.drawnAt);
  };
  return rewrite(next.get(address)!);
}

/** The flow of a program without dead code (simplified or canonical), for a loss: classification normalizes predictions. */
export function followFlow(program: Program, labels: LabelKind, loss: Loss): Flow {
  const values = new Values();
  const fixed = TASK_ADDRESSES[labels];
  const name = (role: 'features' | 'label' | 'prediction') => addressOf(fixed[role].type, fixed[role].address);
  const features = values.leaf('features', 'v');
  const label = values.leaf('label', fixed.label.type);
  const noLabel = values.leaf('zero', fixed.label.type);

  const setupMemory = new Map<string, Value>();
  const setup = execute(program.setup, 'setup', { values, memory: setupMemory, phase: 'setup' });
  const initialOf = (address: string) => setupMemory.get(address) ?? values.leaf('zero', typeOf(address));

  const addresses = new Set([...setupMemory.keys(), name('prediction')]);
  for (const { op, out } of [...program.predict, ...program.learn]) addresses.add(addressOf(opById(op).output!, out));
  addresses.delete(name('features'));
  addresses.delete(name('label'));
  const start = new Map([...addresses].map((a) => [a, values.leaf('carried', typeOf(a), a)] as const));

  const predict = (memory: Map<string, Value>, phase: Phase) => {
    memory.set(name('features'), features).set(name('label'), noLabel);
    const made = execute(program.predict, 'predict', { values, memory, phase });
    return { made, prediction: memory.get(name('prediction')) ?? values.leaf('zero', fixed.prediction.type) };
  };
  const step = () => {
    const memory = new Map(start);
    const { made, prediction } = predict(memory, 'step');
    const seen = loss === 'rms' ? prediction : values.normalized(prediction);
    memory.set(name('prediction'), seen).set(name('features'), features).set(name('label'), label);
    const learned = execute(program.learn, 'learn', { values, memory, phase: 'step' });
    const next = new Map([...addresses].map((a) => [a, memory.get(a)!] as const));
    return { made, prediction, seen, learned, next };
  };

  // Each round tells one more address from the others, so this ends.
  for (;;) {
    const { next } = step();
    const known = [...addresses].find((address) => {
      const held = start.get(address)!;
      if (held.kind !== 'carried' || held.address !== address) return false;
      const derived = next.get(address) === held ? initialOf(address) : derive(address, next, start, values);
      if (derived !== undefined && derived !== held) start.set(address, derived);
      return start.get(address) !== held;
    });
    if (known === undefined) break;
  }
  const { made, prediction, seen, learned, next } = step();
  const memory = new Map(start);
  for (const phase of ['step', 'validation-2'] as const) predict(memory, phase);
  const validation = predict(memory, 'validation-3').prediction;
  const initial = new Map([...addresses].map((a) => [a, initialOf(a)] as const));
  const at = { setup, predict: made, learn: learned };
  for (const function_ of FUNCTION_NAMES) {
    for (const [index, value] of at[function_].entries()) value.places.push({ function: function_, index });
  }
  const used = new Set([features, label, ...at.setup, ...at.predict, ...at.learn]);
  for (const value of [...next.values(), ...initial.values(), validation]) for (const v of madeOf(value)) used.add(v);
  return {
    loss,
    values: values.all.filter((value) => used.has(value)),
    features,
    label,
    initial,
    start,
    prediction,
    seen,
    next,
    validation,
    at,
  };
}
