// A text for a section of a program that two sections share exactly if they do the same: the same instructions with the same flow of
// data between them, whatever their addresses, their order, and what lies around them. Must not know how sections are found.
import { type DataFlow, isCarried } from './data-flow.js';

interface Reader {
  readonly at: number;
  readonly input: string;
  /** The sources that it reads from in an earlier call. */
  readonly carried: readonly number[];
}

/** What instructions of a section read: from which of them it may come, and which inputs of which of them read it. */
interface Link {
  readonly meaning: string;
  readonly sources: readonly number[];
  readonly readers: Reader[];
}

/** Inputs that may be exchanged share a name. */
const INPUTS = ['a', 'b'] as const;
const EITHER = 'e';

/** Numbers below are places in the section. */
function findLinks(flow: DataFlow, section: readonly number[]): Link[] {
  const links = new Map<number, Link>();
  for (const [at, node] of section.entries()) {
    const { reads, commutes } = flow.nodes[node]!;
    for (const [k, number] of reads.entries()) {
      let link = links.get(number);
      if (link === undefined) {
        const { meaning, sources } = flow.values[number]!;
        const inside = section.flatMap((source, place) => (sources.includes(source) ? [place] : []));
        link = { meaning, sources: inside, readers: [] };
        links.set(number, link);
      }
      const carried = link.sources.filter((place) => isCarried(flow, section[place]!, node));
      link.readers.push({ at, input: commutes ? EITHER : INPUTS[k]!, carried });
    }
  }
  return [...links.values()];
}

/** The links as a text, if the instructions have these names. */
function describeLinks(links: readonly Link[], names: readonly (string | number)[]): string {
  const name = (at: number) => names[at]!;
  const texts = links.map(({ meaning, sources, readers }) => {
    const to = readers.map(({ at, input, carried }) => `${name(at)}${input}${carried.map(name).sort()}`);
    return `${meaning}<${sources.map(name).sort()}>${to.sort().join(' ')}`;
  });
  return texts.sort().join(';');
}

/** What tells an instruction from others whatever the order: itself, and what surrounds it in the section. */
function describePlaces(links: readonly Link[], labels: readonly string[]): string[] {
  return labels.map((label, at) => {
    const names = labels.map((other, k) => (k === at ? `!${other}` : other));
    const own = links.filter(({ sources, readers }) => sources.includes(at) || readers.some((one) => one.at === at));
    return `${label}|${describeLinks(own, names)}`;
  });
}

/** All orders of numbers that keep groups together. */
function* ordersOf(groups: readonly (readonly number[])[]): Generator<number[]> {
  const [first, ...rest] = groups;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const order of permutations(first)) for (const others of ordersOf(rest)) yield [...order, ...others];
}

function* permutations(items: readonly number[]): Generator<number[]> {
  if (items.length < 2) yield [...items];
  for (const [k, item] of items.length < 2 ? [] : items.entries()) {
    for (const others of permutations(items.toSpliced(k, 1))) yield [item, ...others];
  }
}

/** Instructions are ordered by what they are and by what surrounds them; of the orders that this leaves open, the first text counts. */
function canonicalText(links: readonly Link[], labels: readonly string[]): string {
  const described = describePlaces(links, labels);
  const distinct = [...new Set(described)].sort();
  const groups = distinct.map((text) => labels.flatMap((_, at) => (described[at] === text ? [at] : [])));
  let best: string | undefined;
  for (const order of ordersOf(groups)) {
    const names: number[] = [];
    for (const [k, at] of order.entries()) names[at] = k;
    const text = describeLinks(links, names);
    if (best === undefined || text < best) best = text;
  }
  const ordered = groups.flatMap((group) => group.map((at) => labels[at]!));
  return `${ordered.join()}|${best}`;
}

export type EncodeSection = (flow: DataFlow, section: readonly number[]) => string;

/**
 * Gives the codes of sections, which are the numbers of their instructions in ascending order. Remembers what it has seen: most
 * sections of similar programs look the same even before they are ordered.
 */
export function sectionEncoder(): EncodeSection {
  const known = new Map<string, string>();
  return (flow, section) => {
    const links = findLinks(flow, section);
    const labels = section.map((node) => flow.nodes[node]!.label);
    const look = `${labels.join()}|${describeLinks(links, [...section.keys()])}`;
    const code = known.get(look) ?? canonicalText(links, labels);
    known.set(look, code);
    return code;
  };
}

export const encodeSection: EncodeSection = (flow, section) => sectionEncoder()(flow, section);
