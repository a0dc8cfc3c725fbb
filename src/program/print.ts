// Prints programs in the paper's notation. parse(print(p)) is p, to the bit. Must not list ops: the table has their forms.
import { opById } from '../ops/ops.js';
import {
  FUNCTION_NAMES,
  type FunctionName,
  INTERFACES,
  type Instruction,
  type LabelKind,
  type Program,
} from './program.js';

const PLACEHOLDER = /\b[svmcij]\b/g;

/** The shortest text that reads back as the same number. */
export function printNumber(x: number): string {
  return Object.is(x, -0) ? '-0' : String(x);
}

export function printInstruction(instruction: Instruction): string {
  const addresses = [instruction.out, instruction.in1, instruction.in2];
  const indices = [instruction.index1, instruction.index2];
  const constants = [instruction.const1, instruction.const2];
  return opById(instruction.op).text.replace(PLACEHOLDER, (placeholder) => {
    if (placeholder === 'c') return printNumber(constants.shift()!);
    if (placeholder === 'i' || placeholder === 'j') return String(indices.shift()!);
    return placeholder + addresses.shift()!;
  });
}

/** `Setup` of 'setup'. */
export function functionTitle(name: FunctionName): string {
  return name[0]!.toUpperCase() + name.slice(1);
}

/** The addresses that the evaluation fills in before a function runs, as `v0, s0`. */
function parameters(name: FunctionName, labels: LabelKind): string {
  const { features, label } = INTERFACES[labels];
  const given = name === 'setup' ? [] : name === 'predict' ? [features] : [features, label];
  return given.map(({ type, address }) => type + address).join(', ');
}

export function printProgram(program: Program, labels: LabelKind = 'scalar'): string {
  const functions = FUNCTION_NAMES.map((name) => {
    const head = `def ${functionTitle(name)}(${parameters(name, labels)}):\n`;
    return head + program[name].map((instruction) => `  ${printInstruction(instruction)}\n`).join('');
  });
  return functions.join('\n');
}
