// Prints programs in the paper's notation. parse(print(p)) is p, to the bit. Must not list ops: the table has their forms.
import { fillForm, opById } from '../ops/ops.js';
import {
  FUNCTION_NAMES,
  type FunctionName,
  type Instruction,
  type LabelKind,
  type Program,
  TASK_ADDRESSES,
} from './program.js';

/** The shortest text that reads back as the same number. */
function printNumber(x: number): string {
  return Object.is(x, -0) ? '-0' : String(x);
}

/** An instruction in the paper's notation, such as `s1 = dot(v0, v1)`. */
export function printInstruction({ op, out, in1, in2, index1, index2, const1, const2 }: Instruction): string {
  return fillForm(opById(op), {
    addresses: [out, in1, in2],
    indices: [index1, index2],
    constants: [printNumber(const1), printNumber(const2)],
  });
}

/** `Setup` of 'setup'. */
export function functionTitle(name: FunctionName): string {
  return name[0]!.toUpperCase() + name.slice(1);
}

/** The addresses that the evaluation fills in before a function runs, as `v0, s0`. */
export function functionParameters(name: FunctionName, labels: LabelKind): string {
  const { features, label } = TASK_ADDRESSES[labels];
  const given = name === 'setup' ? [] : name === 'predict' ? [features] : [features, label];
  return given.map(({ type, address }) => type + address).join(', ');
}

/** A program in the paper's notation, which `parseProgram` reads. */
export function printProgram(program: Program, labels: LabelKind = 'scalar'): string {
  const functions = FUNCTION_NAMES.map((name) => {
    const head = `def ${functionTitle(name)}(${functionParameters(name, labels)}):\n`;
    return head + program[name].map((instruction) => `  ${printInstruction(instruction)}\n`).join('');
  });
  return functions.join('\n');
}
