// How data flow between the instructions of a program: which instructions may have written what an instruction reads, over
// setup -> (predict, learn)* -> predict*, because memory persists. Addresses leave no trace, but for what the evaluation
// gives. Must not know what is searched for in it.
import { opById } from '../../ops/ops.js';
import type { OperandType } from '../../ops/types.js';
import { liveness } from '../../program/liveness.js';
import {
  FUNCTION_NAMES,
  type FunctionName,
  forFunctions,
  type Instruction,
  type LabelKind,
  type Program,
  TASK_ADDRESSES,
} from '../../program/program.js';
import type { Place } from '../explain/explanation.js';

/** What addresses with a fixed meaning hold where the evaluation has just set or read them; all other values are `free`. */
export type Meaning = 'features' | 'label' | 'prediction' | 'free';

/** What an instruction reads: two reads of the same value have the same sources. */
export interface Value {
  readonly type: OperandType;
  readonly meaning: Meaning;
  /** The instructions that may have written it, in ascending order. */
  readonly sources: readonly number[];
}

/** One live instruction. */
export interface FlowNode {
  readonly place: Place;
  readonly instruction: Instruction;
  /** What it is without its neighbours: function, op, and whether a plain constant is negative. */
  readonly label: string;
  readonly commutes: boolean;
  /** For each input, the number of the value that it reads. */
  readonly reads: readonly number[];
}

export interface DataFlow {
  readonly labels: LabelKind;
  readonly nodes: readonly FlowNode[];
  readonly values: readonly Value[];
  /** For each instruction, those that it reads from and those that read from it, in ascending order. */
  readonly neighbours: readonly (readonly number[])[];
}

/** Sources that are no instruction. */
const ZERO = -1;
const FEATURES = -2;
const LABEL = -3;
/** Of a section, whose other instructions are not known; each address has its own from here down. */
const UNKNOWN = -4;

type Sources = readonly number[];
/** What each address may hold. Addresses that are missing hold what they held at the beginning. */
type Memory = ReadonlyMap<string, Sources>;

function key(type: OperandType, address: number): string {
  return type + address;
}

function union(a: Sources, b: Sources): Sources {
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}

interface Located {
  readonly place: Place;
  readonly instruction: Instruction;
}

/** Follows one program or section. */
class Flow {
  private readonly labels: LabelKind;
  private readonly isSection: boolean;
  private readonly located: readonly Located[];
  private readonly unknowns = new Map<string, number>();

  constructor(located: readonly Located[], labels: LabelKind, isSection: boolean) {
    this.located = located;
    this.labels = labels;
    this.isSection = isSection;
  }

  private initial(name: string): Sources {
    if (!this.isSection) return [ZERO];
    if (!this.unknowns.has(name)) this.unknowns.set(name, UNKNOWN - this.unknowns.size);
    return [this.unknowns.get(name)!];
  }

  private read(memory: Memory, name: string): Sources {
    return memory.get(name) ?? this.initial(name);
  }

  private join(a: Memory, b: Memory): Memory {
    const joined = new Map<string, Sources>();
    for (const name of [...a.keys(), ...b.keys()]) joined.set(name, union(this.read(a, name), this.read(b, name)));
    return joined;
  }

  /** The evaluation gives features before Predict and Learn; the label before Learn, and zero in its place before Predict. */
  private give(memory: Memory, name: 'predict' | 'learn'): Memory {
    const { features, label } = TASK_ADDRESSES[this.labels];
    const given = new Map(memory).set(key(features.type, features.address), [FEATURES]);
    return given.set(key(label.type, label.address), [name === 'learn' ? LABEL : ZERO]);
  }

  /** Goes through a function, and tells `see` what each instruction reads. */
  private pass(name: FunctionName, before: Memory, see?: (node: number, reads: readonly Sources[]) => void): Memory {
    const memory = new Map(before);
    for (const [node, { place, instruction }] of this.located.entries()) {
      if (place.function !== name) continue;
      const { inputs, output, overwrites } = opById(instruction.op);
      const addresses = [instruction.in1, instruction.in2];
      see?.(
        node,
        inputs.map((type, k) => this.read(memory, key(type, addresses[k]!))),
      );
      if (output === undefined) continue;
      const target = key(output, instruction.out);
      memory.set(target, overwrites ? [node] : union(this.read(memory, target), [node]));
    }
    return memory;
  }

  /** What each input of each instruction may hold. */
  findReads(): Sources[][] {
    const afterSetup = this.pass('setup', new Map());
    let beforePredict = afterSetup;
    let afterPredict: Memory = new Map();
    // Sets of sources only grow, so this ends. After Predict comes Learn or the next Predict.
    for (let size = -1; size !== countSources(beforePredict); ) {
      size = countSources(beforePredict);
      afterPredict = this.pass('predict', this.give(beforePredict, 'predict'));
      const afterLearn = this.pass('learn', this.give(afterPredict, 'learn'));
      beforePredict = this.join(beforePredict, this.join(afterPredict, afterLearn));
    }
    const found: Sources[][] = this.located.map(() => []);
    const see = (node: number, reads: readonly Sources[]) => {
      found[node] = [...reads];
    };
    this.pass('setup', new Map(), see);
    this.pass('predict', this.give(beforePredict, 'predict'), see);
    this.pass('learn', this.give(afterPredict, 'learn'), see);
    return found;
  }
}

function countSources(memory: Memory): number {
  let total = 0;
  for (const sources of memory.values()) total += 1 + sources.length;
  return total;
}

function meaningOf(sources: Sources, isPrediction: boolean): Meaning {
  if (isPrediction) return 'prediction';
  const only = sources.length === 1 ? sources[0] : undefined;
  if (only === FEATURES) return 'features';
  return only === LABEL ? 'label' : 'free';
}

/** For each instruction of Learn and each of its inputs: whether that is what Predict has predicted. */
function findPredictionReads(located: readonly Located[], labels: LabelKind): (input: number, node: number) => boolean {
  const { type, address } = TASK_ADDRESSES[labels].prediction;
  const firstWrite = located.findIndex(
    ({ place, instruction: { op, out } }) =>
      place.function === 'learn' && opById(op).output === type && out === address,
  );
  return (input, node) => {
    const { place, instruction } = located[node]!;
    if (place.function !== 'learn' || opById(instruction.op).inputs[input] !== type) return false;
    return (input === 0 ? instruction.in1 : instruction.in2) === address && (firstWrite < 0 || node <= firstWrite);
  };
}

/** Of constants only the sign of plain ones counts: `s2 = -0.1` subtracts what `s2 = 0.1` adds. */
function labelOf({ place, instruction }: Located): string {
  const op = opById(instruction.op);
  const isNegative = op.shape === 'fillConst' && instruction.const1 < 0;
  return `${place.function} ${op.name}${isNegative ? ' negative' : ''}`;
}

function build(located: readonly Located[], labels: LabelKind, isSection: boolean): DataFlow {
  const reads = new Flow(located, labels, isSection).findReads();
  const isPrediction = findPredictionReads(located, labels);
  const values: Value[] = [];
  const known = new Map<string, number>();
  const linked = located.map(() => new Set<number>());
  const nodes = located.map((one, node): FlowNode => {
    const op = opById(one.instruction.op);
    const numbers = reads[node]!.map((all, input) => {
      const type = op.inputs[input]!;
      const meaning = meaningOf(all, isPrediction(input, node));
      const identity = `${type} ${meaning} ${all.join()}`;
      if (!known.has(identity)) {
        known.set(identity, values.length);
        values.push({ type, meaning, sources: all.filter((source) => source >= 0) });
      }
      const number = known.get(identity)!;
      for (const source of values[number]!.sources) {
        if (source === node) continue;
        linked[node]!.add(source);
        linked[source]!.add(node);
      }
      return number;
    });
    return { ...one, label: labelOf(one), commutes: op.commutes, reads: numbers };
  });
  return { labels, nodes, values, neighbours: linked.map((set) => [...set].sort((a, b) => a - b)) };
}

function locate(program: Program, isKept: (place: Place) => boolean): Located[] {
  return FUNCTION_NAMES.flatMap((name) =>
    program[name]
      .map((instruction, index) => ({ place: { function: name, index }, instruction }))
      .filter(({ place }) => isKept(place)),
  );
}

/** Of the instructions that can reach a prediction; the others leave no trace. */
export function followProgram(program: Program, labels: LabelKind): DataFlow {
  const live = liveness(program, labels);
  return build(
    locate(program, (place) => live[place.function][place.index]!),
    labels,
    false,
  );
}

/** Of a part of a program: what it reads and does not write may be anything. */
export function followSection(section: Program, labels: LabelKind): DataFlow {
  const isWorking = forFunctions((name) => section[name].map(({ op }) => opById(op).output !== undefined));
  return build(
    locate(section, (place) => isWorking[place.function][place.index]!),
    labels,
    true,
  );
}

/** Whether an instruction reads what the other has written in an earlier call of their function, not in the same. */
export function isCarried({ nodes }: DataFlow, source: number, reader: number): boolean {
  return source >= reader && nodes[source]!.place.function === nodes[reader]!.place.function;
}
