// Programs that look different and do the same: whatever is found in one must be found in the other, as often.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryProgram, withPrediction } from '../../../tests/support/arbitraries.js';
import { opById, opByName } from '../../ops/ops.js';
import type { OperandType } from '../../ops/types.js';
import { parseProgram } from '../../program/parse.js';
import {
  FUNCTION_NAMES,
  forFunctions,
  type Instruction,
  makeInstruction,
  type Program,
  TASK_ADDRESSES,
} from '../../program/program.js';
import { RandomStream } from '../../util/random.js';
import { shuffle } from '../../util/shuffle.js';
import { type DataFlow, followProgram } from './data-flow.js';
import { findMotifs } from './find-motifs.js';
import { encodeSection } from './motif-code.js';
import { printSection } from './print-motif.js';
import { locateSnippet, readSnippet } from './snippet.js';

// --- Disguises ---------------------------------------------------------------------------------------------------------

const ADDRESSES = 20;

function isFixed(type: OperandType, address: number): boolean {
  return Object.values(TASK_ADDRESSES.scalar).some((one) => one.type === type && one.address === address);
}

/** Other names for all addresses but those that the evaluation uses. */
function drawNames(random: RandomStream): (type: OperandType, address: number) => number {
  const names = new Map<OperandType, number[]>();
  for (const type of ['s', 'v', 'm'] as const) {
    const free = Array.from({ length: ADDRESSES }, (_, k) => k).filter((address) => !isFixed(type, address));
    const drawn = [...free];
    shuffle(drawn, random);
    names.set(
      type,
      Array.from({ length: ADDRESSES }, (_, k) => (isFixed(type, k) ? k : drawn[free.indexOf(k)]!)),
    );
  }
  return (type, address) => names.get(type)![address]!;
}

const cells = ({ op, in1, in2 }: Instruction) => opById(op).inputs.map((type, k) => type + [in1, in2][k]!);
const target = ({ op, out }: Instruction) => (opById(op).output ?? '-') + out;

/** Whether two instructions that follow each other may be exchanged. */
function areIndependent(a: Instruction, b: Instruction): boolean {
  return target(a) !== target(b) && !cells(b).includes(target(a)) && !cells(a).includes(target(b));
}

function reorder(body: readonly Instruction[], random: RandomStream): Instruction[] {
  const result = [...body];
  for (let k = 0; k < 10 * body.length; k++) {
    const at = random.integer(Math.max(1, body.length - 1));
    const [a, b] = [result[at], result[at + 1]];
    if (a !== undefined && b !== undefined && areIndependent(a, b)) [result[at], result[at + 1]] = [b, a];
  }
  return result;
}

/** Instructions that write where nobody reads. */
function addDeadCode(body: readonly Instruction[], random: RandomStream): Instruction[] {
  const dead = [
    makeInstruction({ op: opByName('vector-gaussian').id, out: 50, constants: [0, 1] }),
    makeInstruction({ op: opByName('vector-add').id, inputs: [0, 50], out: 51 }),
    makeInstruction({ op: opByName('vector-maximum').id, inputs: [51, 50], out: 52 }),
  ];
  return dead.reduce(
    (result, one) => result.toSpliced(random.integer(result.length + 1), 0, one),
    body as Instruction[],
  );
}

function disguiseInstruction(
  one: Instruction,
  rename: ReturnType<typeof drawNames>,
  random: RandomStream,
): Instruction {
  const { inputs, output, commutes } = opById(one.op);
  const read = inputs.map((type, k) => rename(type, k === 0 ? one.in1 : one.in2));
  if (commutes && random.integer(2) === 0) read.reverse();
  const [in1 = 0, in2 = 0] = read;
  const factor = 0.5 + random.integer(4);
  const out = output === undefined ? 0 : rename(output, one.out);
  return { ...one, in1, in2, out, const1: one.const1 * factor, const2: one.const2 * factor };
}

function disguise(program: Program, random: RandomStream): Program {
  const rename = drawNames(random);
  return forFunctions((name) => {
    const body = program[name].map((one) => disguiseInstruction(one, rename, random));
    return addDeadCode(reorder(body, random), random);
  });
}

/** How many sections of each kind a program has. */
function countSections(flow: DataFlow, size: number): Map<string, number> {
  let sections = new Map(flow.nodes.map((_, node) => [String(node), [node]]));
  for (let k = 1; k < size; k++) {
    const larger = [...sections.values()].flatMap((section) =>
      section
        .flatMap((node) => flow.neighbours[node]!)
        .filter((node) => !section.includes(node))
        .map((node) => [...section, node].sort((a, b) => a - b)),
    );
    sections = new Map(larger.map((section) => [section.join(), section]));
  }
  const counts = new Map<string, number>();
  for (const section of sections.values()) {
    const code = encodeSection(flow, section);
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}

it('a disguise changes no section of any program', () => {
  let seen = 0;
  fc.assert(
    fc.property(arbitraryProgram({ maxLength: 10 }), fc.nat(), (raw, seed) => {
      const program = withPrediction(raw, 'scalar');
      const plain = followProgram(program, 'scalar');
      const disguised = followProgram(disguise(program, new RandomStream(seed, 1)), 'scalar');
      for (const size of [1, 2, 3, 4]) {
        const counts = countSections(plain, size);
        expect(countSections(disguised, size)).toEqual(counts);
        seen += counts.size;
      }
    }),
    { numRuns: 150 },
  );
  expect(seen).toBeGreaterThan(500);
});

// --- A planted motif ---------------------------------------------------------------------------------------------------

/** A network whose hidden layer is cut off at a noisy threshold, between other instructions that count. */
function makeHost(random: RandomStream, [noise, threshold, cut, makeNoise]: readonly string[]): Program {
  const pick = (...texts: string[]) => texts[random.integer(texts.length)]!;
  const extra = Array.from({ length: 1 + random.integer(5) }, () =>
    pick('s5 = sin(s5)', 's5 = s5 + s6', 's5 = norm(v0)', 's6 = mean(v0)', 's6 = s5 * s6', 's5 = cos(s6)'),
  );
  const text = `def Setup():
  s3 = 0.01
  ${pick('m0 = gaussian(0, 0.1)', 'm0 = uniform(0, 0.1)', 's7 = 0.2')}
  ${noise}
def Predict(v0):
  v3 = dot(m0, v0)
  ${threshold}
  ${cut}
  s1 = dot(v4, v2)
  ${extra.join('\n  ')}
  s1 = s1 ${pick('+', '-', '*')} s5
def Learn(v0, s0):
  s4 = s0 - s1
  s4 = s3 * s4
  v6 = s4 * v4
  v2 = v2 + v6
  v7 = s4 * v2
  m1 = outer(v7, v0)
  m0 = m0 + m1
  ${makeNoise}`;
  return parseProgram(text);
}

const PLANTED = ['', 'v9 = v5 - v0', 'v4 = maximum(v3, v9)', 'v5 = gaussian(-0.5, 0.41)'];
const NEAR_MISSES: readonly (readonly string[])[] = [
  ['', 'v9 = v0 - v5', 'v4 = maximum(v3, v9)', 'v5 = gaussian(-0.5, 0.41)'],
  ['', 'v9 = v5 + v0', 'v4 = maximum(v3, v9)', 'v5 = gaussian(-0.5, 0.41)'],
  ['', 'v9 = v5 - v0', 'v4 = minimum(v3, v9)', 'v5 = gaussian(-0.5, 0.41)'],
  ['', 'v9 = v5 - v0', 'v4 = maximum(v9, v3)', 'v5 = gaussian(-0.5, 0.41)'],
  ['', 'v9 = v5 - v0', 'v4 = maximum(v3, v9)', 'v5 = uniform(-0.5, 0.41)'],
  ['v5 = gaussian(-0.5, 0.41)', 'v9 = v5 - v0', 'v4 = maximum(v3, v9)', ''],
  ['', 'v9 = v5 - v6', 'v4 = maximum(v3, v9)', 'v5 = gaussian(-0.5, 0.41)'],
  ['', 'v9 = v5 - v0', 'v4 = maximum(v3, v9)', 'v5 = gaussian(-0.5, 0.41)\n  v5 = abs(v5)'],
  ['', 'v9 = v5 - v0\n  v9 = v9 + v0', 'v4 = maximum(v3, v9)', 'v5 = gaussian(-0.5, 0.41)'],
  // The noise reaches nothing.
  ['', 'v9 = v8 - v0', 'v4 = maximum(v3, v9)', 'v5 = gaussian(-0.5, 0.41)'],
];

const SNIPPET = `def Predict(v0):
  v2 = v1 - v0
  v4 = max(v3, v2)
def Learn(v0, s0):
  v1 = gaussian(-0.1, 0.9)`;

describe('a planted motif', () => {
  const random = new RandomStream(7, 1);
  const parts = Array.from({ length: 40 }, (_, k) => (k % 3 === 0 ? PLANTED : NEAR_MISSES[k % NEAR_MISSES.length]!));
  const planted = parts.flatMap((part, k) => (part === PLANTED ? [k] : []));
  const programs = parts.map((part) => disguise(makeHost(random, part), random));
  const flows = programs.map((program) => followProgram(program, 'scalar'));
  const snippet = readSnippet(SNIPPET);

  it('lies in programs with dead code and an order of their own', () => {
    for (const [k, program] of programs.entries()) {
      const all = FUNCTION_NAMES.flatMap((name) => program[name]).length;
      expect(flows[k]!.nodes.length).toBeGreaterThan(9);
      expect(all).toBeGreaterThan(flows[k]!.nodes.length + 8);
    }
  });

  it('is found in exactly the programs that have it', () => {
    const size = { minSize: 3, maxSize: 3 };
    const { motifs, cutSizes } = findMotifs({
      programs: flows,
      controls: [],
      ...size,
      minPrograms: 5,
      maxSections: 1e6,
    });
    expect(cutSizes).toEqual([]);
    const example = locateSnippet(snippet, flows[planted[0]!]!)!.toSorted((a, b) => a - b);
    const code = encodeSection(flows[planted[0]!]!, example);
    const same = motifs.filter((motif) => encodeSection(flows[motif.example.program]!, motif.example.nodes) === code);
    expect(same.map((motif) => motif.programs)).toEqual([planted]);
  });

  it('is counted as a snippet in exactly the programs that have it', () => {
    const having = flows.flatMap((flow, k) => (locateSnippet(snippet, flow) === undefined ? [] : [k]));
    expect(having).toEqual(planted);
  });

  it('is counted in a control', () => {
    const programs = planted.map((k) => flows[k]!);
    const all = { programs, controls: [...flows, undefined], minSize: 2, maxSize: 4, minPrograms: programs.length };
    const { motifs } = findMotifs({ ...all, maxSections: 1e6 });
    const inNoOther = motifs.filter(({ controls }) => controls.length === planted.length);
    expect(inNoOther.length).toBeGreaterThan(0);
    for (const { controls } of inNoOther) expect(controls).toEqual(planted);
    expect(Math.max(...motifs.map(({ controls }) => controls.length))).toBeGreaterThan(planted.length);
  });

  it('is found again by the text that it is printed as', () => {
    const { motifs } = findMotifs({
      programs: flows,
      controls: [],
      minSize: 2,
      maxSize: 5,
      minPrograms: 8,
      maxSections: 1e6,
    });
    expect(motifs.length).toBeGreaterThan(20);
    for (const motif of motifs.slice(0, 150)) {
      const flow = flows[motif.example.program]!;
      const text = printSection(flow, motif.example.nodes);
      const printed = readSnippet(text);
      const having = flows.flatMap((flow, k) => (locateSnippet(printed, flow) === undefined ? [] : [k]));
      expect({ text, having }).toEqual({ text, having: motif.programs });
    }
  });
});
