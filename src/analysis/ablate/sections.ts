// What is worth knocking out of a program: each live instruction, sections of a few instructions that hand on one value, and the
// techniques that an explanation finds. Pure. Must not know how anything is measured.
import type { Loss } from '../../engine/engine.js';
import { opById } from '../../ops/ops.js';
import { canonicalHash } from '../../program/canonical.js';
import { type LabelKind, type Program, TASK_ADDRESSES } from '../../program/program.js';
import { explain } from '../explain/explain.js';
import { type Place, TECHNIQUES, type Technique, type TechniqueName } from '../explain/explanation.js';
import { type DataFlow, followProgram } from '../motifs/data-flow.js';
import {
  applyEdits,
  describeInstruction,
  isSamePlace,
  type Way,
  waysOfInstruction,
  waysOfSection,
} from './knock-out.js';

export type SectionKind = 'technique' | 'instruction' | 'group';

export interface Section {
  readonly kind: SectionKind;
  /** The words for a technique, or where the instructions stand. */
  readonly label: string;
  readonly technique?: TechniqueName;
  /** In the order of the program. */
  readonly places: readonly Place[];
  /** The likeliest first. */
  readonly ways: readonly Way[];
}

function findInstructions(program: Program, flow: DataFlow): Section[] {
  return flow.nodes.map(({ place }) => ({
    kind: 'instruction',
    label: describeInstruction(program, place),
    places: [place],
    ways: waysOfInstruction(program, place),
  }));
}

/** Stands for the evaluation, which reads the prediction. */
const OUTSIDE = -1;

/** For each instruction those that may read what it writes. */
function consumersOf({ nodes, values, labels }: DataFlow): Set<number>[] {
  const consumers = nodes.map(() => new Set<number>());
  for (const [reader, { reads }] of nodes.entries()) {
    for (const value of reads) for (const source of values[value]!.sources) consumers[source]!.add(reader);
  }
  const { type, address } = TASK_ADDRESSES[labels].prediction;
  for (const [node, { place, instruction }] of nodes.entries()) {
    const isPrediction = opById(instruction.op).output === type && instruction.out === address;
    if (isPrediction && place.function === 'predict') consumers[node]!.add(OUTSIDE);
  }
  return consumers;
}

const LARGEST_GROUP = 4;

/** Connected sections of 2 to 4 instructions with one output: what the others compute is used only inside. Small ones first. */
function findGroups(program: Program, flow: DataFlow): Section[] {
  const { nodes, values } = flow;
  const consumers = consumersOf(flow);
  const found = new Map<string, { readonly members: readonly number[]; readonly output: number }>();
  const grow = (members: readonly number[], output: number): void => {
    if (members.length > 1) found.set(members.join(), { members, output });
    if (members.length === LARGEST_GROUP) return;
    const sources = new Set(members.flatMap((node) => nodes[node]!.reads.flatMap((value) => values[value]!.sources)));
    for (const source of sources) {
      if (members.includes(source)) continue;
      if (![...consumers[source]!].every((node) => node === source || members.includes(node))) continue;
      const grown = [...members, source].sort((a, b) => a - b);
      if (!found.has(grown.join())) grow(grown, output);
    }
  };
  for (const output of nodes.keys()) grow([output], output);
  return [...found.values()]
    .sort((a, b) => a.members.length - b.members.length || a.members[0]! - b.members[0]!)
    .map(({ members, output }) => {
      const places = members.map((node) => nodes[node]!.place);
      return {
        kind: 'group',
        label: describePlaces(places),
        places,
        ways: waysOfSection(program, places, nodes[output]!.place),
      };
    });
}

/** `setup 1, learn 3-5` */
export function describePlaces(places: readonly Place[]): string {
  const runs: { readonly name: string; readonly first: number; last: number }[] = [];
  for (const { function: name, index } of places) {
    const run = runs.at(-1);
    if (run !== undefined && run.name === name && run.last === index - 1) run.last = index;
    else runs.push({ name, first: index, last: index });
  }
  return runs
    .map(({ name, first, last }) => (first === last ? `${name} ${first + 1}` : `${name} ${first + 1}-${last + 1}`))
    .join(', ');
}

/** Programs that are explained in the search for ways to be rid of one technique, and the ways that are kept. */
const MAX_EXPLAINED = 32;
const MAX_WAYS = 4;

/** Every choice of one way per place, as long as there are few. */
function combineWays(choices: readonly (readonly Way[])[]): Way[] {
  let combined: Way[] = [{ how: '', edits: [] }];
  for (const ways of choices) {
    combined = combined
      .flatMap((chosen) =>
        ways.map(({ how, edits }) => ({
          how: chosen.how === '' ? how : `${chosen.how}, ${how}`,
          edits: [...chosen.edits, ...edits],
        })),
      )
      .slice(0, MAX_EXPLAINED);
  }
  return combined;
}

/** The instructions that these read from, and those that read from these. */
function neighboursOf({ nodes, neighbours }: DataFlow, places: readonly Place[]): Place[] {
  const isIn = (place: Place) => places.some((other) => isSamePlace(other, place));
  const near = new Set([...nodes.keys()].filter((k) => isIn(nodes[k]!.place)).flatMap((k) => neighbours[k]!));
  return [...near].map((node) => nodes[node]!.place).filter((place) => !isIn(place));
}

function namedWays(program: Program, place: Place): Way[] {
  return waysOfInstruction(program, place).map(({ how, edits }) => ({
    how: how === 'removed' ? `without ${describePlaces([place])}` : how,
    edits,
  }));
}

/**
 * What a technique's instructions, or those next to them in the flow of data, can become. A knock-out of instructions is one of the technique only if
 * the technique is not found in what is left; those that leave most of the other techniques come first.
 */
function waysOfTechnique(
  program: Program,
  flow: DataFlow,
  { name, places }: Technique,
  explainAgain: (variant: Program) => readonly TechniqueName[],
): Way[] {
  const choices = places.map((place) => namedWays(program, place));
  const near = neighboursOf(flow, places).flatMap((place) => namedWays(program, place));
  const together = places.length > 1 ? combineWays(choices) : [];
  return [...choices.flat(), ...near, ...together]
    .slice(0, MAX_EXPLAINED)
    .map((way) => ({ way, left: explainAgain(applyEdits(program, way.edits)) }))
    .filter(({ left }) => !left.includes(name))
    .sort((a, b) => b.left.length - a.left.length || a.way.edits.length - b.way.edits.length)
    .slice(0, MAX_WAYS)
    .map(({ way }) => way);
}

function findTechniqueSections(program: Program, labels: LabelKind, loss: Loss, flow: DataFlow): Section[] {
  const known = new Map<string, readonly TechniqueName[]>();
  const explainAgain = (variant: Program): readonly TechniqueName[] => {
    const hash = canonicalHash(variant, labels);
    const names = known.get(hash) ?? explain(variant, labels, loss).techniques.map(({ name }) => name);
    known.set(hash, names);
    return names;
  };
  return explain(program, labels, loss).techniques.map((technique) => ({
    kind: 'technique',
    label: TECHNIQUES[technique.name],
    technique: technique.name,
    places: technique.places,
    ways: waysOfTechnique(program, flow, technique, explainAgain),
  }));
}

/** Techniques first, then instructions, then groups that are not the instructions of a technique. */
export function findSections(program: Program, labels: LabelKind, loss: Loss): Section[] {
  const flow = followProgram(program, labels);
  if (flow.nodes.length === 0) return [];
  const techniques = findTechniqueSections(program, labels, loss, flow);
  const isTechnique = ({ places }: Section) =>
    techniques.some((t) => t.places.length === places.length && t.places.every((p, k) => isSamePlace(p, places[k]!)));
  const groups = findGroups(program, flow).filter((group) => !isTechnique(group));
  return [...techniques, ...findInstructions(program, flow), ...groups];
}
