// Puts a bound section into a program, at every position within a bound, and ranks what comes of it by how likely it makes sense.
// Pure. Must not know how good anything is.
import { opById, opByName } from '../../ops/ops.js';
import type { OperandType } from '../../ops/types.js';
import { canonicalHash } from '../../program/canonical.js';
import { liveness, simplify } from '../../program/liveness.js';
import {
  type ForFunctions,
  FUNCTION_NAMES,
  type FunctionName,
  forFunctions,
  type Instruction,
  makeInstruction,
  type Program,
} from '../../program/program.js';
import { addressOf } from '../explain/flow.js';
import {
  addressesOf,
  type Binding,
  type Bindings,
  findBindings,
  fixedAddresses,
  type Host,
  typeOf,
  type Where,
} from './bindings.js';
import { type CodeSection, writtenAddress } from './code-section.js';
import { originalName } from './retype.js';

export interface Insertion {
  /** Without dead code. */
  readonly program: Program;
  readonly hash: string;
  /** `m1 is v1, m0 for v1 in predict, m2 is new (v3)` */
  readonly bound: string;
  /** `predict 2, learn 5`: the lines before which the section's blocks stand. */
  readonly at: string;
  readonly strangeness: number;
}

type Positions = ForFunctions<number>;

/** Blocks stand at the start, at the end, or between two instructions; Setup's at its end. */
function findPositions(section: CodeSection, { program }: Host): { positions: Positions; strangeness: number }[] {
  const places = (name: FunctionName) =>
    section.code[name].length === 0
      ? [program[name].length]
      : Array.from({ length: program[name].length + 1 }, (_, k) => k);
  const rate = (name: FunctionName, at: number) => (at === 0 || at === program[name].length ? 0 : 0.5);
  return places('predict').flatMap((predict) =>
    places('learn').map((learn) => ({
      positions: { setup: program.setup.length, predict, learn },
      strangeness: rate('predict', predict) + rate('learn', learn),
    })),
  );
}

/** The least free address of each type, one after the other. */
function giveAddresses(taken: ReadonlySet<string>): (type: OperandType) => string {
  const used = new Set(taken);
  return (type) => {
    let number = 0;
    while (used.has(addressOf(type, number))) number++;
    used.add(addressOf(type, number));
    return addressOf(type, number);
  };
}

function renameInstruction(
  instruction: Instruction,
  rename: (address: string) => string,
  parts: 'all' | 'inputs' = 'all',
): Instruction {
  const { inputs, output } = opById(instruction.op);
  const renamed = (type: OperandType | undefined, address: number) =>
    type === undefined ? address : Number(rename(addressOf(type, address)).slice(1));
  return {
    ...instruction,
    in1: renamed(inputs[0], instruction.in1),
    in2: renamed(inputs[1], instruction.in2),
    ...(parts === 'all' && { out: renamed(output, instruction.out) }),
  };
}

/** What an address that nobody has prepared holds: a factor that changes nothing until it is tuned. */
function fillOne(address: string): Instruction {
  return makeInstruction({ op: opByName('scalar-constant').id, out: Number(address.slice(1)), constants: [1] });
}

const WHERE_TEXT: { readonly [where in Where]: string } = {
  predict: 'Predict',
  both: 'Predict and Learn',
  learn: 'Learn',
};

function describeBinding(own: string, binding: Binding, name: string): string {
  const shown = originalName(own);
  if (binding.kind === 'address') return `${shown} is ${binding.address}`;
  if (binding.kind === 'free') return `${shown} is ${binding.isConstant ? 'a new constant' : 'new'} (${name})`;
  return `${shown} (${name}) for ${binding.address} in ${WHERE_TEXT[binding.where]}`;
}

/** The program with the section in it, and what was done. */
function insert(
  section: CodeSection,
  host: Host,
  bindings: Bindings,
  positions: Positions,
): { program: Program; bound: string; inserted: ForFunctions<number> } {
  const give = giveAddresses(new Set([...addressesOf(host.program), ...fixedAddresses(host.labels)]));
  const names = new Map<string, string>();
  const prepared: Instruction[] = [];
  const replaced: { from: string; to: string; where: Where }[] = [];
  for (const [own, binding] of bindings) {
    const name = binding.kind === 'address' ? binding.address : give(typeOf(own));
    names.set(own, name);
    if (binding.kind === 'replace') replaced.push({ from: binding.address, to: name, where: binding.where });
    if (binding.kind === 'free' && binding.isConstant) {
      const known = section.prepared.get(own);
      prepared.push(known === undefined ? fillOne(name) : { ...known, out: Number(name.slice(1)) });
    }
  }
  /** Whether an instruction of the host is to read the new value in the place of `from`. */
  const isRewired = (name: FunctionName, k: number, { from, where }: (typeof replaced)[number]): boolean => {
    const body = host.program[name];
    if (name === 'setup' || (name === 'learn' && where === 'predict') || (name === 'predict' && where === 'learn'))
      return false;
    if (where === 'learn') {
      const isOver = body.slice(positions.learn, k).some((instruction) => writtenAddress(instruction) === from);
      return k >= positions.learn && !isOver;
    }
    // What updates a value goes on from that value.
    return writtenAddress(body[k]!) !== from;
  };
  const rewire = (instruction: Instruction, name: FunctionName, k: number): Instruction =>
    renameInstruction(
      instruction,
      (address) => replaced.find((each) => each.from === address && isRewired(name, k, each))?.to ?? address,
      'inputs',
    );
  const blocks = forFunctions((name) => {
    const block = section.code[name].map((each) => renameInstruction(each, (address) => names.get(address) ?? address));
    return name === 'setup' ? [...prepared, ...block] : block;
  });
  const program = forFunctions((name) => {
    const body = host.program[name].map((instruction, k) => rewire(instruction, name, k));
    return [...body.slice(0, positions[name]), ...blocks[name], ...body.slice(positions[name])];
  });
  const bound = [...bindings].map(([own, binding]) => describeBinding(own, binding, names.get(own)!)).join(', ');
  return { program, bound, inserted: forFunctions((name) => blocks[name].length) };
}

/** Insertions that are looked at for dead code before the likeliest are chosen. */
const LOOKED_AT = 4000;

/** What dead instructions of the section, and of the program around it, tell against an insertion. */
function rateLiveness(
  program: Program,
  { labels }: Host,
  positions: Positions,
  inserted: ForFunctions<number>,
): number | undefined {
  const live = liveness(program, labels);
  let [deadOfSection, deadOfHost, liveOfSection] = [0, 0, 0];
  for (const name of FUNCTION_NAMES) {
    for (const [k, isLive] of live[name].entries()) {
      const isOfSection = k >= positions[name] && k < positions[name] + inserted[name];
      if (isOfSection && isLive) liveOfSection++;
      else if (isOfSection) deadOfSection++;
      else if (!isLive) deadOfHost++;
    }
  }
  return liveOfSection === 0 ? undefined : (deadOfSection + deadOfHost) / 2;
}

/** At most `limit` different programs with a live part of the section in them, the likeliest first. */
export function findInsertions(section: CodeSection, host: Host, given: Bindings, limit: number): Insertion[] {
  const positions = findPositions(section, host);
  const intact = canonicalHash(host.program, host.labels);
  const looked = findBindings(section, host, given)
    .flatMap(({ bindings, strangeness }) =>
      positions.map((position) => ({ bindings, ...position, strangeness: strangeness + position.strangeness })),
    )
    .sort((a, b) => a.strangeness - b.strangeness)
    .slice(0, LOOKED_AT)
    .flatMap(({ bindings, positions: at, strangeness }) => {
      const { program, bound, inserted } = insert(section, host, bindings, at);
      const dead = rateLiveness(program, host, at, inserted);
      return dead === undefined ? [] : [{ program, bound, at, strangeness: strangeness + dead }];
    })
    .sort((a, b) => a.strangeness - b.strangeness);
  const found = new Map<string, Insertion>();
  for (const { program, bound, at, strangeness } of looked) {
    if (found.size >= limit) break;
    const hash = canonicalHash(program, host.labels);
    if (hash === intact || found.has(hash)) continue;
    const blocks = FUNCTION_NAMES.filter((name) => section.code[name].length > 0);
    found.set(hash, {
      program: simplify(program, host.labels),
      hash,
      bound,
      at: blocks.map((name) => `${name} ${at[name] + 1}`).join(', '),
      strangeness,
    });
  }
  return [...found.values()];
}
