// A section as program text: the instructions of an example, with addresses numbered in order of first use, so that addresses that
// happen to be reused are told apart. What is read as a snippet finds the section again. Must not know how sections are found.
import { opById } from '../../ops/ops.js';
import type { OperandType } from '../../ops/types.js';
import { functionParameters, functionTitle, printInstruction } from '../../program/print.js';
import { type Address, FUNCTION_NAMES, type LabelKind, TASK_ADDRESSES } from '../../program/program.js';
import type { DataFlow } from './data-flow.js';

/** What one address of the printed text holds: instructions that write it, values that read it. */
type Cell = string;

const writtenBy = (node: number): Cell => `node ${node}`;
const readAs = (value: number): Cell => `value ${value}`;

/** Joins what must share an address: a value, and the instructions of the section that it may come from. */
function joinCells({ nodes, values }: DataFlow, section: readonly number[]): (cell: Cell) => Cell {
  const parent = new Map<Cell, Cell>();
  const find = (cell: Cell): Cell => {
    const above = parent.get(cell);
    return above === undefined ? cell : find(above);
  };
  for (const node of section) {
    for (const value of nodes[node]!.reads) {
      for (const source of values[value]!.sources.filter((one) => section.includes(one))) {
        const [a, b] = [find(readAs(value)), find(writtenBy(source))];
        if (a !== b) parent.set(a, b);
      }
    }
  }
  return find;
}

/** Gives addresses in the order in which they are asked for, after those with a fixed meaning. */
class Addresses {
  private readonly next: { [type in OperandType]: number } = { s: 0, v: 0, m: 0 };
  private readonly given = new Map<Cell, number>();

  constructor(labels: LabelKind) {
    for (const { type, address } of Object.values(TASK_ADDRESSES[labels])) {
      this.next[type] = Math.max(this.next[type], address + 1);
    }
  }

  fix(cell: Cell, { address }: Address): void {
    this.given.set(cell, address);
  }

  of(cell: Cell, type: OperandType): number {
    if (!this.given.has(cell)) this.given.set(cell, this.next[type]++);
    return this.given.get(cell)!;
  }
}

function fixMeanings({ labels, nodes, values }: DataFlow, section: readonly number[], fix: Addresses['fix']): void {
  for (const number of section.flatMap((node) => nodes[node]!.reads)) {
    const { meaning } = values[number]!;
    if (meaning !== 'free') fix(readAs(number), TASK_ADDRESSES[labels][meaning]);
  }
}

/** The text of a section, given by the numbers of its instructions; only the functions that it has a part in. */
export function printSection(flow: DataFlow, section: readonly number[]): string {
  const find = joinCells(flow, section);
  const addresses = new Addresses(flow.labels);
  fixMeanings(flow, section, (cell, address) => addresses.fix(find(cell), address));
  const lines = section.map((node) => {
    const { instruction, reads } = flow.nodes[node]!;
    const { inputs, output } = opById(instruction.op);
    const [in1 = 0, in2 = 0] = reads.map((value, k) => addresses.of(find(readAs(value)), inputs[k]!));
    const out = addresses.of(find(writtenBy(node)), output!);
    return printInstruction({ ...instruction, in1, in2, out });
  });
  return FUNCTION_NAMES.flatMap((name) => {
    const own = section.flatMap((node, k) => (flow.nodes[node]!.place.function === name ? [`  ${lines[k]}\n`] : []));
    return own.length === 0
      ? []
      : [`def ${functionTitle(name)}(${functionParameters(name, flow.labels)}):\n${own.join('')}`];
  }).join('\n');
}
