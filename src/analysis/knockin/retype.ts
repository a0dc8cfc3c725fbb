// Sections for programs of another kind of weights: what is done to matrices can be done to vectors where the op table has the same
// op for them. Pure. Must not know programs around the section.
import { OPS, opById } from '../../ops/ops.js';
import type { Op } from '../../ops/types.js';
import { FUNCTION_NAMES, forFunctions, type Instruction, type Program } from '../../program/program.js';
import { type CodeSection, writtenAddress } from './code-section.js';

/** The op with vectors in the place of matrices, by its text form. */
function vectorOp({ text }: Op): Op | undefined {
  const wanted = text.replace(/\bm\b/g, 'v');
  return OPS.find((op) => op.text === wanted);
}

function usesMatrices({ op }: Instruction): boolean {
  const { inputs, output } = opById(op);
  return output === 'm' || inputs.includes('m');
}

/** Vectors from here on stand for the matrices of a section, beyond what programs use. */
const FIRST_VECTOR = 1000;

function retypeInstruction(instruction: Instruction): Instruction | undefined {
  const op = opById(instruction.op);
  if (!usesMatrices(instruction)) return instruction;
  const vector = vectorOp(op);
  if (vector === undefined) return undefined;
  const move = (type: string | undefined, address: number) => (type === 'm' ? FIRST_VECTOR + address : address);
  return {
    ...instruction,
    op: vector.id,
    in1: move(op.inputs[0], instruction.in1),
    in2: move(op.inputs[1], instruction.in2),
    out: move(op.output, instruction.out),
  };
}

/** What an address of a section is called once its matrices are vectors. */
export function vectorName(address: string): string {
  return address.startsWith('m') ? `v${FIRST_VECTOR + Number(address.slice(1))}` : address;
}

/** The section's own name of an address that was retyped. */
export function originalName(address: string): string {
  const number = Number(address.slice(1));
  return address.startsWith('v') && number >= FIRST_VECTOR ? `m${number - FIRST_VECTOR}` : address;
}

/** The section with vectors in the place of matrices; nothing if it has no matrices, or an op that vectors lack. */
export function toVectors(section: CodeSection): CodeSection | undefined {
  const { code, roles, readOutside, prepared } = section;
  const all = FUNCTION_NAMES.flatMap((name) => code[name]);
  if (!all.some(usesMatrices)) return undefined;
  const retyped = forFunctions((name) => code[name].map(retypeInstruction));
  if (FUNCTION_NAMES.some((name) => retyped[name].includes(undefined))) return undefined;
  const moved = [...prepared.values()].flatMap((instruction) => retypeInstruction(instruction) ?? []);
  return {
    ...section,
    code: retyped as Program,
    roles: new Map([...roles].map(([address, role]) => [vectorName(address), role])),
    ...(readOutside !== undefined && { readOutside: new Set([...readOutside].map(vectorName)) }),
    prepared: new Map(moved.map((instruction) => [writtenAddress(instruction)!, instruction])),
  };
}
