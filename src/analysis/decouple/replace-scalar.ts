// A program with a scalar that it computed set to a constant in Setup, where it can be tuned. Pure. Must not know which scalar is
// worth it.
import { opByName } from '../../ops/ops.js';
import { liveness, simplify } from '../../program/liveness.js';
import {
  FUNCTION_NAMES,
  forFunctions,
  type Instruction,
  type LabelKind,
  makeInstruction,
  type Program,
  TASK_ADDRESSES,
} from '../../program/program.js';
import { copyInstruction, instructionAt, isSamePlace } from '../ablate/knock-out.js';
import type { Place } from '../explain/explanation.js';
import { addressOf } from '../explain/flow.js';
import { addressesOf } from '../knockin/bindings.js';
import { writtenAddress } from '../knockin/code-section.js';
import { followProgram } from '../motifs/data-flow.js';

function setConstant(address: number, value: number): Instruction {
  return makeInstruction({ op: opByName('scalar-constant').id, out: address, constants: [value] });
}

/** The least scalar address that the program does not use. */
function freeScalar(program: Program, labels: LabelKind): number {
  const used = addressesOf(program);
  for (const { type, address } of Object.values(TASK_ADDRESSES[labels])) used.add(addressOf(type, address));
  let address = 0;
  while (used.has(addressOf('s', address))) address++;
  return address;
}

type Reads = Pick<Instruction, 'in1' | 'in2'>;

/** What reads the scalar and nothing else that was ever written there, with the new address; nothing if some reads are mixed. */
function rewireReads(
  program: Program,
  labels: LabelKind,
  place: Place,
  to: number,
): Map<string, Partial<Reads>> | undefined {
  const { nodes, values } = followProgram(program, labels);
  const own = nodes.findIndex((node) => isSamePlace(node.place, place));
  const rewired = new Map<string, Partial<Reads>>();
  for (const { place: reader, reads } of nodes) {
    for (const [input, value] of reads.entries()) {
      const { sources, meaning } = values[value]!;
      if (!sources.includes(own)) continue;
      if (sources.length > 1 || meaning !== 'free') return undefined;
      const name = `${reader.function} ${reader.index}`;
      rewired.set(name, { ...rewired.get(name), [input === 0 ? 'in1' : 'in2']: to });
    }
  }
  return rewired;
}

/** A program under way: replaced instructions stay as no-ops, so that places stay, and constants wait to become Setup's first. */
interface Draft {
  readonly program: Program;
  readonly constants: readonly Instruction[];
}

const NO_OP = makeInstruction({ op: opByName('no-op').id });

function replaceOne({ program, constants }: Draft, labels: LabelKind, { place, value }: Replacement): Draft {
  const { out } = instructionAt(program, place);
  const change = (becomes: Instruction, rewired?: ReadonlyMap<string, Partial<Reads>>): Program =>
    forFunctions((name) =>
      program[name].map((instruction, index) =>
        isSamePlace(place, { function: name, index })
          ? becomes
          : { ...instruction, ...rewired?.get(`${name} ${index}`) },
      ),
    );
  const isOwn = (instruction: Instruction) => writtenAddress(instruction) === addressOf('s', out);
  const writers = FUNCTION_NAMES.flatMap((name) => program[name].filter(isOwn));
  // Alone at its address, the scalar can keep it.
  if (writers.length === 1) return { program: change(NO_OP), constants: [...constants, setConstant(out, value)] };
  const free = freeScalar(program, labels);
  const rewired = rewireReads(program, labels, place, free);
  const becomes = rewired === undefined ? copyInstruction('s', free, out) : NO_OP;
  return { program: change(becomes, rewired), constants: [...constants, setConstant(free, value)] };
}

/** A scalar, by where it is written in a program without dead code, and what it is set to. */
export interface Replacement {
  readonly place: Place;
  readonly value: number;
}

export interface Replaced {
  /** Without what has become useless. */
  readonly program: Program;
  /** Whether the instruction that was at a place can still reach a prediction. */
  readonly isLive: (place: Place) => boolean;
}

/** The program with scalars set once, in Setup. */
export function replaceScalars(program: Program, labels: LabelKind, all: readonly Replacement[]): Replaced {
  let draft: Draft = { program, constants: [] };
  for (const each of all) draft = replaceOne(draft, labels, each);
  const live = liveness(draft.program, labels);
  const whole = { ...draft.program, setup: [...draft.constants, ...draft.program.setup] };
  return {
    program: simplify(whole, labels),
    isLive: ({ function: name, index }) => live[name][index]!,
  };
}
