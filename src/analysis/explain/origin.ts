// From values of the canonical form back to the addresses of the program that was given. Must not know what they mean.
import { opById } from '../../ops/ops.js';
import { canonicalize } from '../../program/canonical.js';
import { liveness } from '../../program/liveness.js';
import {
  type ForFunctions,
  FUNCTION_NAMES,
  forFunctions,
  type LabelKind,
  type Program,
  TASK_ADDRESSES,
} from '../../program/program.js';
import { addressOf, type Value } from './flow.js';

export interface Origin {
  /** The address of the given program for one of the canonical form. */
  readonly address: (canonical: string) => string;
  /** The address that a value is kept at, or what it is. */
  readonly show: (value: Value) => string;
}

/** The places of the live instructions in the given program. */
export function liveIndices(program: Program, labels: LabelKind): ForFunctions<readonly number[]> {
  const live = liveness(program, labels);
  return forFunctions((name) => [...live[name].keys()].filter((k) => live[name][k]));
}

/** `indices` are the places of the live instructions in the given program. */
export function originOf(program: Program, labels: LabelKind, indices: ForFunctions<readonly number[]>): Origin {
  const canonical = canonicalize(program, labels);
  const addresses = new Map<string, string>();
  for (const name of FUNCTION_NAMES) {
    for (const [k, instruction] of canonical[name].entries()) {
      const { output } = opById(instruction.op);
      addresses.set(addressOf(output!, instruction.out), addressOf(output!, program[name][indices[name][k]!]!.out));
    }
  }
  const address = (text: string) => addresses.get(text) ?? text;
  const fixed = TASK_ADDRESSES[labels];
  const show = (value: Value): string => {
    if (value.kind === 'carried') return address(value.address);
    if (value.kind === 'features' || value.kind === 'label') {
      return addressOf(fixed[value.kind].type, fixed[value.kind].address);
    }
    if (value.kind === 'normalized') return addressOf(fixed.prediction.type, fixed.prediction.address);
    if (value.kind === 'zero') return 'zero';
    const [place] = value.places;
    if (place === undefined) return showHidden(value);
    const { op, out } = program[place.function][indices[place.function][place.index]!]!;
    return addressOf(opById(op).output!, out);
  };
  /** What no instruction of a step computes: a draw of the step before, or something made of what is carried. */
  const showHidden = (value: Value): string => {
    if (value.drawnAt !== '') {
      const [name, index] = value.drawnAt.split(' ') as ['predict' | 'learn', string];
      const { op, out } = program[name][indices[name][Number(index)]!]!;
      return addressOf(opById(op).output!, out);
    }
    return value.inputs.length === 0 ? 'a constant' : show(value.inputs.at(-1)!);
  };
  return { address, show };
}
