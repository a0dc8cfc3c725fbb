// Whether a program has a given section in it: other addresses, other constants, another order and anything in between do not
// matter, the flow of data does. Must not know where the section or the program come from.
import { parseSource } from '../../program/parse.js';
import { functionTitle } from '../../program/print.js';
import { FUNCTION_NAMES, type MemorySizes } from '../../program/program.js';
import { type DataFlow, followSection, isCarried } from './data-flow.js';

/** Addresses of a section are names, so there are as many as anybody writes. */
const ANY_ADDRESS: MemorySizes = { scalars: 1000, vectors: 1000, matrices: 1000 };

/** Reads a section, whose text may leave functions out. Throws ProgramTextError. */
export function readSnippet(text: string): DataFlow {
  const missing = FUNCTION_NAMES.filter((name) => !new RegExp(`^\\s*def\\s+${name}\\b`, 'im').test(text));
  const whole = text + missing.map((name) => `\ndef ${functionTitle(name)}():`).join('');
  const { program, labels } = parseSource(whole, ANY_ADDRESS);
  return followSection(program, labels);
}

/** The instruction of a program that one of a section is taken for, and for each input of that one what this one reads. */
interface Choice {
  readonly at: number;
  readonly reads: readonly number[];
}

/** Each instruction after one that it shares data with, as far as there is one, so that misfits show early. */
function orderNodes({ nodes, neighbours }: DataFlow): number[] {
  const order: number[] = [];
  for (const start of nodes.keys()) {
    if (order.includes(start)) continue;
    let next = order.push(start) - 1;
    for (; next < order.length; next++) {
      for (const node of neighbours[order[next]!]!) if (!order.includes(node)) order.push(node);
    }
  }
  return order;
}

/** Whether the flow of data between the instructions chosen so far is that of the section. */
function fits(snippet: DataFlow, program: DataFlow, chosen: ReadonlyMap<number, Choice>): boolean {
  const given = new Map<number, number>();
  for (const [reader, { at, reads }] of chosen) {
    for (const [k, wantedNumber] of snippet.nodes[reader]!.reads.entries()) {
      const wanted = snippet.values[wantedNumber]!;
      const { meaning, sources } = program.values[reads[k]!]!;
      if (wanted.meaning !== meaning) return false;
      if (wanted.sources.length === 0) {
        if ((given.get(wantedNumber) ?? reads[k]) !== reads[k]) return false;
        given.set(wantedNumber, reads[k]!);
      }
      for (const source of wanted.sources) {
        const origin = chosen.get(source)?.at;
        if (origin === undefined) continue;
        if (!sources.includes(origin)) return false;
        if (isCarried(program, origin, at) !== isCarried(snippet, source, reader)) return false;
      }
    }
  }
  // What the section does not write may be anything else, but different addresses are different things.
  return new Set(given.values()).size === given.size;
}

/** The ways to give the inputs of an instruction; those that commute have two. */
function inputOrders(reads: readonly number[], commutes: boolean): (readonly number[])[] {
  return commutes && reads[0] !== reads[1] ? [reads, reads.toReversed()] : [reads];
}

/** Where the section lies in the program: for each of its instructions the number of one of the program's, or nothing. */
export function locateSnippet(snippet: DataFlow, program: DataFlow): number[] | undefined {
  const order = orderNodes(snippet);
  const search = (chosen: ReadonlyMap<number, Choice>): ReadonlyMap<number, Choice> | undefined => {
    const node = order[chosen.size];
    if (node === undefined) return chosen;
    const { label } = snippet.nodes[node]!;
    const taken = new Set([...chosen.values()].map(({ at }) => at));
    for (const [at, candidate] of program.nodes.entries()) {
      if (candidate.label !== label || taken.has(at)) continue;
      for (const reads of inputOrders(candidate.reads, candidate.commutes)) {
        const next = new Map(chosen).set(node, { at, reads });
        const found = fits(snippet, program, next) ? search(next) : undefined;
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  const found = search(new Map());
  return found && snippet.nodes.map((_, node) => found.get(node)!.at);
}
