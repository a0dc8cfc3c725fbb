import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryProgram, withPrediction } from '../../../tests/support/arbitraries.js';
import { builtin } from '../../program/builtin.js';
import { type DataFlow, followProgram } from './data-flow.js';
import { findMotifs } from './find-motifs.js';
import { encodeSection } from './motif-code.js';

function flowOf(name: string): DataFlow {
  const { program, labels } = builtin(name)!;
  return followProgram(program, labels);
}

const SEARCH = { controls: [], minSize: 2, maxSize: 4, minPrograms: 2, maxSections: 1e6 };

/** Whether instructions hang together. */
function isConnected(flow: DataFlow, section: readonly number[]): boolean {
  const reached = [section[0]!];
  for (const node of reached) {
    for (const next of flow.neighbours[node]!)
      if (section.includes(next) && !reached.includes(next)) reached.push(next);
  }
  return reached.length === section.length;
}

/** All subsets, without any shortcut. */
function allSections(flow: DataFlow, maxSize: number): number[][] {
  const grow = (section: number[], next: number): number[][] => [
    ...(section.length > 0 && isConnected(flow, section) ? [section] : []),
    ...(section.length === maxSize
      ? []
      : flow.nodes.flatMap((_, node) => (node < next ? [] : grow([...section, node], node + 1)))),
  ];
  return grow([], 0);
}

/** Programs by the codes of their sections, and which codes lie in which, by looking at everything. */
function findPlainly(flows: readonly (DataFlow | undefined)[], minSize: number, maxSize: number, minPrograms: number) {
  const programs = new Map<string, Set<number>>();
  const wholes = new Map<string, Set<string>>();
  const sizes = new Map<string, number>();
  for (const [k, flow] of flows.entries()) {
    const sections = flow === undefined ? [] : allSections(flow, maxSize);
    const codes = sections.map((section) => encodeSection(flow!, section));
    for (const [i, section] of sections.entries()) {
      const code = codes[i]!;
      sizes.set(code, section.length);
      programs.set(code, (programs.get(code) ?? new Set()).add(k));
      for (const [j, larger] of sections.entries()) {
        if (larger.length <= section.length || !section.every((node) => larger.includes(node))) continue;
        wholes.set(code, (wholes.get(code) ?? new Set()).add(codes[j]!));
      }
    }
  }
  const textOf = (code: string) => [...programs.get(code)!].join();
  return [...programs.keys()]
    .filter((code) => sizes.get(code)! >= minSize && programs.get(code)!.size >= minPrograms)
    .filter((code) => ![...(wholes.get(code) ?? [])].some((whole) => textOf(whole) === textOf(code)))
    .map((code) => `${textOf(code)} ${code}`)
    .sort();
}

function findCodes(flows: readonly (DataFlow | undefined)[], options: Partial<typeof SEARCH> = {}): string[] {
  const { motifs } = findMotifs({ ...SEARCH, ...options, programs: flows });
  return motifs
    .map(({ programs, example }) => `${programs.join()} ${encodeSection(flows[example.program]!, example.nodes)}`)
    .sort();
}

describe('motifs', () => {
  it('are those that looking at every subset of every program finds', () => {
    let found = 0;
    const program = arbitraryProgram({ maxLength: 5 }).map((raw) => withPrediction(raw, 'scalar'));
    fc.assert(
      fc.property(fc.array(program, { minLength: 2, maxLength: 5 }), (programs) => {
        const flows = programs.map((one) => followProgram(one, 'scalar'));
        // Random programs have little in common; the first twice has.
        const all = [...flows, flows[0], undefined];
        const codes = findCodes(all, { minSize: 1 });
        expect(codes).toEqual(findPlainly(all, 1, 4, 2));
        found += codes.length;
      }),
      { numRuns: 60 },
    );
    expect(found).toBeGreaterThan(20);
  });

  it('of real programs are those too', () => {
    const flows = ['paper/affine', 'paper/linear', 'paper/evolved-intermediate', 'paper/rediscovered-net'].map(flowOf);
    for (const minPrograms of [1, 2, 3]) {
      expect(findCodes(flows, { minPrograms })).toEqual(findPlainly(flows, 2, 4, minPrograms));
    }
  });

  it('are counted once per program, most programs first, and in the control', () => {
    const [linear, affine] = [flowOf('paper/linear'), flowOf('paper/affine')];
    const { motifs, cutSizes } = findMotifs({
      ...SEARCH,
      programs: [linear, affine, undefined],
      controls: [affine, undefined],
    });
    expect(cutSizes).toEqual([]);
    expect(motifs.length).toBeGreaterThan(0);
    for (const { programs, controls, size, example } of motifs) {
      expect({ programs, controls }).toEqual({ programs: [0, 1], controls: [0] });
      expect(example).toMatchObject({ program: 0 });
      expect(example.nodes).toHaveLength(size);
    }
  });

  it('say so where a bound cuts, and then find less', () => {
    const programs = ['paper/neural-net', 'paper/neural-net'].map(flowOf);
    const whole = findMotifs({ ...SEARCH, programs });
    const cut = findMotifs({ ...SEARCH, programs, maxSections: 30 });
    expect(whole.cutSizes).toEqual([]);
    expect(cut.cutSizes).toEqual([3, 4]);
    expect(cut.motifs.length).toBeLessThan(whole.motifs.length);
  });
});
