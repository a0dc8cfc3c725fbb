// The op table as arrays by op number, for code that looks at millions of instructions: types are numbers there. Knows nothing that the
// table does not say.
import { OPS } from './ops.js';
import type { OperandType } from './types.js';

/** The types of operands; their places are their numbers. */
export const OPERAND_TYPES = ['s', 'v', 'm'] as const;

/** Instead of a type, where an op has no such operand. */
export const NO_OPERAND = -1;

export const typeNumber = (type: OperandType | undefined) =>
  type === undefined ? NO_OPERAND : OPERAND_TYPES.indexOf(type);

export const OUT_TYPE = Int8Array.from(OPS, (op) => typeNumber(op.output));
export const IN1_TYPE = Int8Array.from(OPS, (op) => typeNumber(op.inputs[0]));
export const IN2_TYPE = Int8Array.from(OPS, (op) => typeNumber(op.inputs[1]));
export const OVERWRITES = Uint8Array.from(OPS, (op) => Number(op.overwrites));
/** How many element indices, and how many constants. */
export const INDICES = Uint8Array.from(OPS, (op) => op.indices);
export const CONSTANTS = Uint8Array.from(OPS, (op) => op.constantSpecs.length);
