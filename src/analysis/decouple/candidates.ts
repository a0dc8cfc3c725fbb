// Which scalars of a program may be hyperparameters in disguise: computed from vectors or matrices, not from the label or the
// prediction, and no state of their own. Pure. Must not know values.
import { opById } from '../../ops/ops.js';
import type { OperandType } from '../../ops/types.js';
import {
  FUNCTION_NAMES,
  type Instruction,
  type LabelKind,
  type Program,
  TASK_ADDRESSES,
} from '../../program/program.js';
import type { Place } from '../explain/explanation.js';
import { addressOf } from '../explain/flow.js';
import { type DataFlow, followProgram } from '../motifs/data-flow.js';

function inputNames({ op, in1, in2 }: Instruction): string[] {
  return opById(op).inputs.map((type, k) => addressOf(type, [in1, in2][k]!));
}

/**
 * The places that write something of the label or the prediction: an error, a scaled error, an intercept that follows it. What is
 * summed up in weights of a larger type is no longer about one example, and does not count.
 */
function findLabelled(program: Program, labels: LabelKind): (place: Place) => boolean {
  const { label, prediction } = TASK_ADDRESSES[labels];
  const predicted = addressOf(prediction.type, prediction.address);
  const followed: readonly OperandType[] = ['s', label.type];
  const found = new Set<string>();
  const tainted = new Set<string>();
  // Addresses keep what they hold, so that a second round sees what the first has left.
  for (let round = 0; round < 3; round++) {
    for (const name of FUNCTION_NAMES) {
      if (name === 'setup') continue;
      const given = addressOf(label.type, label.address);
      if (name === 'learn') tainted.add(given).add(predicted);
      else tainted.delete(given);
      for (const [index, instruction] of program[name].entries()) {
        const { output, overwrites } = opById(instruction.op);
        if (output === undefined) continue;
        const target = addressOf(output, instruction.out);
        const isTainted = followed.includes(output) && inputNames(instruction).some((input) => tainted.has(input));
        const isPrediction = name === 'predict' && target === predicted;
        if (isTainted) found.add(`${name} ${index}`);
        if (isPrediction) found.add(`${name} ${index}`);
        if (isTainted) tainted.add(target);
        else if (overwrites) tainted.delete(target);
      }
    }
  }
  return ({ function: name, index }) => found.has(`${name} ${index}`);
}

function isScalar({ nodes }: DataFlow, node: number): boolean {
  return opById(nodes[node]!.instruction.op).output === 's';
}

function sourcesOf({ nodes, values }: DataFlow, node: number): number[] {
  return nodes[node]!.reads.flatMap((value) => values[value]!.sources);
}

/** Whether a scalar goes on from its own earlier value, through scalars alone: a counter, a rate that decays, an intercept. */
function isState(flow: DataFlow, node: number): boolean {
  const visited = new Set<number>();
  const reaches = (from: number): boolean =>
    sourcesOf(flow, from).some((source) => {
      if (source === node) return true;
      if (visited.has(source) || !isScalar(flow, source)) return false;
      visited.add(source);
      return reaches(source);
    });
  return reaches(node);
}

/** Whether a scalar is made of constants alone, which can be tuned as they are. */
function isConstant(flow: DataFlow, node: number, visited: ReadonlySet<number> = new Set()): boolean {
  const op = opById(flow.nodes[node]!.instruction.op);
  if (op.output !== 's' || visited.has(node)) return false;
  if (op.inputs.length === 0) return true;
  if (op.inputs.some((type) => type !== 's')) return false;
  const seen = new Set(visited).add(node);
  return sourcesOf(flow, node).every((source) => isConstant(flow, source, seen));
}

/** Places of a program without dead code, in its order. */
export function findCandidates(program: Program, labels: LabelKind): Place[] {
  const flow = followProgram(program, labels);
  const isLabelled = findLabelled(program, labels);
  return [...flow.nodes.keys()]
    .filter((node) => isScalar(flow, node) && !isConstant(flow, node) && !isState(flow, node))
    .map((node) => flow.nodes[node]!.place)
    .filter((place) => !isLabelled(place));
}
