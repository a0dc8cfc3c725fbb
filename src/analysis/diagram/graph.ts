// A program as a graph, like the paper's figure 6: instructions, what the evaluation gives (features, label), what is kept
// between steps, and the prediction. Must not know how graphs are drawn.
import { opById } from '../../ops/ops.js';
import type { OperandType } from '../../ops/types.js';
import { liveness } from '../../program/liveness.js';
import { printInstruction } from '../../program/print.js';
import {
  FUNCTION_NAMES,
  type FunctionName,
  type Instruction,
  type LabelKind,
  type Program,
  TASK_ADDRESSES,
} from '../../program/program.js';
import type { Explanation } from '../explain/explanation.js';

/** A node of a graph: an instruction, or what instructions read and make. */
export interface GraphNode {
  readonly id: string;
  /** `state` is an address that a step reads before it writes; `zero` is one that nothing ever writes. */
  readonly kind: 'input' | 'state' | 'zero' | 'instruction' | 'prediction';
  readonly label: string;
  /** What it is, in a few words; may be empty. */
  readonly note: string;
  readonly type: OperandType;
  /** The function that it belongs to, if it is an instruction or a zero. */
  readonly cluster: FunctionName | undefined;
}

/** A value on its way from one node to another. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly type: OperandType;
  /** From the end of a step back to what the next step finds. */
  readonly isFeedback: boolean;
}

/** The flow of data of a program, to be drawn. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

class Builder {
  readonly nodes = new Map<string, GraphNode>();
  readonly edges = new Map<string, GraphEdge>();
  private readonly names: ReadonlyMap<string, string>;

  constructor(names: ReadonlyMap<string, string>) {
    this.names = names;
  }

  add(node: GraphNode): string {
    if (!this.nodes.has(node.id)) this.nodes.set(node.id, node);
    return node.id;
  }

  connect(from: string, to: string, type: OperandType, isFeedback = false): void {
    this.edges.set(`${from} ${to}`, { from, to, type, isFeedback });
  }

  /** A node for an address that no instruction has written yet. */
  leaf(kind: 'input' | 'state', address: string, note: string): string {
    const type = address[0] as OperandType;
    return this.add({ id: `${kind}_${address}`, kind, label: address, note, type, cluster: undefined });
  }

  state(address: string): string {
    return this.leaf('state', address, this.names.get(address) ?? '');
  }

  zero(type: OperandType, cluster: FunctionName): string {
    return this.add({ id: `zero_${cluster}_${type}`, kind: 'zero', label: '0', note: '', type, cluster });
  }
}

/** The graph of the live instructions. The explanation is one of the same program, for the same labels: its comments become notes. */
export function graphOf(program: Program, labels: LabelKind, explanation: Explanation): Graph {
  const live = liveness(program, labels);
  const fixed = TASK_ADDRESSES[labels];
  const name = ({ type, address }: { type: OperandType; address: number }) => type + address;
  const [features, label, prediction] = [fixed.features, fixed.label, fixed.prediction].map(name) as [
    string,
    string,
    string,
  ];
  const builder = new Builder(explanation.names);

  const outputOf = ({ op, out }: Instruction) => opById(op).output! + out;
  const isLive = (name: FunctionName, k: number) => live[name][k] === true;
  const stepWrites = new Set(
    (['predict', 'learn'] as const).flatMap((f) => program[f].filter((_, k) => isLive(f, k)).map(outputOf)),
  );
  const setupWriter = new Map<string, string>();
  const writer = new Map<string, string>();

  const source = (address: string, where: FunctionName): string => {
    const written = writer.get(address);
    if (written !== undefined) return written;
    if (where !== 'setup' && address === features) return builder.leaf('input', address, 'features');
    if (where === 'learn' && address === label) return builder.leaf('input', address, 'label');
    if (where !== 'setup' && address !== label && stepWrites.has(address)) return builder.state(address);
    const initial = address === label ? undefined : setupWriter.get(address);
    return initial ?? builder.zero(address[0] as OperandType, where);
  };

  for (const where of FUNCTION_NAMES) {
    if (where === 'learn') {
      writer.delete(features);
      writer.delete(label);
    }
    for (const [k, instruction] of program[where].entries()) {
      if (!isLive(where, k)) continue;
      const op = opById(instruction.op);
      const [type, out] = [op.output!, outputOf(instruction)];
      const id = `${where}_${k}`;
      const reads = op.inputs.map((t, i) => t + (i === 0 ? instruction.in1 : instruction.in2));
      if (!op.overwrites) reads.push(out);
      const sources = reads.map((address) => [source(address, where), address[0] as OperandType] as const);
      builder.add({
        id,
        kind: 'instruction',
        label: printInstruction(instruction),
        note: explanation.comments[where][k]!,
        type,
        cluster: where,
      });
      for (const [from, t] of sources) builder.connect(from, id, t);
      writer.set(out, id);
    }
    if (where === 'setup') {
      for (const [address, id] of writer) setupWriter.set(address, id);
      writer.clear();
    }
    if (where === 'predict') {
      const { type } = fixed.prediction;
      const id = builder.add({
        id: 'prediction',
        kind: 'prediction',
        label: prediction,
        note: 'prediction',
        type,
        cluster: undefined,
      });
      builder.connect(source(prediction, where), id, type);
    }
  }
  for (const { id, kind, label: address, type } of [...builder.nodes.values()]) {
    if (kind !== 'state') continue;
    const initial = setupWriter.get(address);
    if (initial !== undefined) builder.connect(initial, id, type);
    const last = writer.get(address);
    if (last !== undefined) builder.connect(last, id, type, true);
  }
  return { nodes: [...builder.nodes.values()], edges: [...builder.edges.values()] };
}
