// Sections of programs that recur in independent runs (paper, supplement "Interpreting Algorithms", b): connected in the flow of
// data, each counted once per program. Must not know where programs come from, nor what they are compared with.
import type { DataFlow } from './data-flow.js';
import { type EncodeSection, sectionEncoder } from './motif-code.js';

/** A section of one of the programs. */
export interface Occurrence {
  /** Which program, from 0 on. */
  readonly program: number;
  /** The numbers of its instructions in that program's flow of data, ascending. */
  readonly nodes: readonly number[];
}

export interface Motif {
  readonly size: number;
  /** The programs that have it, and those of the control, ascending. */
  readonly programs: readonly number[];
  readonly controls: readonly number[];
  /** Where it occurs first. */
  readonly example: Occurrence;
}

export interface MotifSearch {
  /** Undefined for a run that has found nothing. */
  readonly programs: readonly (DataFlow | undefined)[];
  readonly controls: readonly (DataFlow | undefined)[];
  readonly minSize: number;
  readonly maxSize: number;
  /** In at least so many of the programs. */
  readonly minPrograms: number;
  /** Sections that are looked at, of each size, in each program. */
  readonly maxSections: number;
}

export interface FoundMotifs {
  /** Those that are in no larger one of the same programs: most programs first, then the largest. */
  readonly motifs: readonly Motif[];
  /** Sizes at which there were more sections than were looked at: counts may be too small from the first of them on. */
  readonly cutSizes: readonly number[];
}

/** Sections of one size in one program, by their code. */
type Sections = Map<string, (readonly number[])[]>;

interface Candidate {
  readonly size: number;
  readonly programs: number[];
  readonly controls: number[];
  readonly example: Occurrence;
  /** A larger motif has it in it, in the same programs. */
  isCovered: boolean;
}

// --- Growing sections --------------------------------------------------------------------------------------------------

function singleSections(flow: DataFlow | undefined, encode: EncodeSection): Sections {
  const sections: Sections = new Map();
  for (const node of flow?.nodes.keys() ?? []) {
    const code = encode(flow!, [node]);
    const known = sections.get(code);
    if (known === undefined) sections.set(code, [[node]]);
    else known.push([node]);
  }
  return sections;
}

function addNode(section: readonly number[], node: number): number[] {
  const place = section.findIndex((other) => other > node);
  return section.toSpliced(place < 0 ? section.length : place, 0, node);
}

interface Grown {
  readonly sections: Sections;
  /** For each code, those of the sections that it grew from. */
  readonly grewFrom: ReadonlyMap<string, ReadonlySet<string>>;
  readonly isCut: boolean;
}

const NOTHING_GROWN: Grown = { sections: new Map(), grewFrom: new Map(), isCut: false };

/** Every section that is one of these and one instruction more. */
function growSections(flow: DataFlow, from: Sections, most: number, encode: EncodeSection): Grown {
  const sections: Sections = new Map();
  const grewFrom = new Map<string, Set<string>>();
  const codes = new Map<string, string>();
  for (const [origin, smaller] of from) {
    for (const section of smaller) {
      const around = new Set(section.flatMap((node) => flow.neighbours[node]!));
      for (const node of around) {
        if (section.includes(node)) continue;
        const larger = addNode(section, node);
        const identity = larger.join();
        let code = codes.get(identity);
        if (code === undefined) {
          if (codes.size === most) return { sections, grewFrom, isCut: true };
          code = encode(flow, larger);
          codes.set(identity, code);
          const same = sections.get(code);
          if (same === undefined) {
            sections.set(code, [larger]);
            grewFrom.set(code, new Set());
          } else same.push(larger);
        }
        grewFrom.get(code)!.add(origin);
      }
    }
  }
  return { sections, grewFrom, isCut: false };
}

/** A motif that is in enough programs has only parts that are, so that what grows from others can be left out. */
function keepSections(sections: Sections, candidates: ReadonlyMap<string, unknown>): Sections {
  return new Map([...sections].filter(([code]) => candidates.has(code)));
}

// --- Counting ----------------------------------------------------------------------------------------------------------

function collect(levels: readonly Sections[], size: number, minPrograms: number): Map<string, Candidate> {
  const candidates = new Map<string, Candidate>();
  for (const [program, sections] of levels.entries()) {
    for (const [code, [nodes]] of sections) {
      const known = candidates.get(code);
      if (known !== undefined) known.programs.push(program);
      else {
        const example = { program, nodes: nodes! };
        candidates.set(code, { size, programs: [program], controls: [], example, isCovered: false });
      }
    }
  }
  return new Map([...candidates].filter(([, { programs }]) => programs.length >= minPrograms));
}

function countControls(levels: readonly Sections[], candidates: ReadonlyMap<string, Candidate>): void {
  for (const [control, sections] of levels.entries()) {
    for (const code of sections.keys()) candidates.get(code)?.controls.push(control);
  }
}

/** The parts of a motif are in all of its programs; if in no other, they say nothing of their own. */
function coverParts(
  smaller: ReadonlyMap<string, Candidate>,
  larger: ReadonlyMap<string, Candidate>,
  grown: readonly Grown[],
): void {
  for (const { grewFrom } of grown) {
    for (const [code, origins] of grewFrom) {
      const whole = larger.get(code);
      for (const origin of whole === undefined ? [] : origins) {
        const part = smaller.get(origin)!;
        if (part.programs.length === whole!.programs.length) part.isCovered = true;
      }
    }
  }
}

function compareMotifs(a: Motif, b: Motif): number {
  return b.programs.length - a.programs.length || b.size - a.size || a.controls.length - b.controls.length;
}

export function findMotifs({ programs, controls, minSize, maxSize, minPrograms, ...limit }: MotifSearch): FoundMotifs {
  const flows = [...programs, ...controls];
  const encode = sectionEncoder();
  const growFrom = (flow: DataFlow | undefined, from: Sections) =>
    flow === undefined ? NOTHING_GROWN : growSections(flow, from, limit.maxSections, encode);
  const cutSizes: number[] = [];
  const found: Candidate[] = [];
  let levels = flows.map((flow) => singleSections(flow, encode));
  let candidates = collect(levels.slice(0, programs.length), 1, minPrograms);
  for (let size = 1; candidates.size > 0; size++) {
    countControls(levels.slice(programs.length), candidates);
    const grown = size === maxSize ? [] : flows.map((flow, k) => growFrom(flow, keepSections(levels[k]!, candidates)));
    if (grown.some(({ isCut }) => isCut)) cutSizes.push(size + 1);
    levels = grown.map(({ sections }) => sections);
    const larger = collect(levels.slice(0, programs.length), size + 1, minPrograms);
    coverParts(candidates, larger, grown.slice(0, programs.length));
    if (size >= minSize) found.push(...candidates.values());
    candidates = larger;
  }
  const motifs = found.filter(({ isCovered }) => !isCovered).map(({ isCovered: _, ...motif }): Motif => motif);
  return { motifs: motifs.sort(compareMotifs), cutSizes };
}
