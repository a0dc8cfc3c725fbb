// The op table made ready for use: what follows from each row (types, arity, text form, whether inputs commute), and
// look-up by number and name. Must not know programs or engines.
import { OP_ROWS, type OpName } from './table.js';
import type { ConstantSpec, FormToken, Op, OperandType, OpRow } from './types.js';

const FORM_TOKEN = /[A-Za-z_]\w*|\d+|\S/g;

function readForm(text: string): FormToken[] {
  return (text.match(FORM_TOKEN) ?? []).map((token): FormToken => {
    if (token === 's' || token === 'v' || token === 'm') return { kind: 'operand', type: token };
    if (token === 'i' || token === 'j') return { kind: 'index' };
    if (token === 'c') return { kind: 'constant' };
    return { kind: 'literal', text: token };
  });
}

/** What stands at the placeholders of a form. */
export interface FormValues {
  /** The output, then the inputs. */
  readonly addresses: readonly number[];
  readonly indices: readonly number[];
  readonly constants: readonly string[];
}

/** The printed form with its placeholders filled in. */
export function fillForm(op: Op, { addresses, indices, constants }: FormValues): string {
  let [address, index, constant] = [0, 0, 0];
  return op.text.replace(/\b[svmcij]\b/g, (placeholder) => {
    if (placeholder === 'c') return constants[constant++]!;
    if (placeholder === 'i' || placeholder === 'j') return String(indices[index++]!);
    return placeholder + addresses[address++]!;
  });
}

function constantsOf(row: OpRow): readonly ConstantSpec[] {
  return row.shape === 'fillConst' || row.shape === 'fillRandom' ? row.constants : [];
}

function commutes(row: OpRow, inputs: readonly OperandType[], output: OperandType | undefined): boolean {
  if (row.shape === 'map2') return row.fn === 'add' || row.fn === 'multiply';
  return row.shape === 'contract' && inputs[0] === inputs[1] && output === 's';
}

function complete(row: OpRow): Op {
  const form = readForm(row.text);
  const [output, ...inputs] = form.flatMap((t) => (t.kind === 'operand' ? [t.type] : []));
  const indices = form.filter((t) => t.kind === 'index').length as 0 | 1 | 2;
  return {
    ...row,
    output,
    inputs,
    indices,
    constantSpecs: constantsOf(row),
    commutes: commutes(row, inputs, output),
    overwrites: output !== undefined && indices === 0,
    random: row.shape === 'fillRandom',
    forms: [form, ...(row.alsoRead ?? []).map(readForm)],
  };
}

/** Every op, at the place of its number. */
export const OPS: readonly Op[] = OP_ROWS.map(complete);

const BY_NAME: ReadonlyMap<string, Op> = new Map(OPS.map((op) => [op.name, op]));

/** The op of that number; the caller knows that it exists. */
export function opById(id: number): Op {
  return OPS[id]!;
}

export function opByName(name: OpName): Op {
  return BY_NAME.get(name)!;
}

/** The element that an op of one or two indices sets. An index beyond F wraps, so that a program runs at every feature size. */
export function elementPlace(indices: number, index1: number, index2: number, features: number): number {
  if (indices === 0) return 0;
  return indices === 1 ? index1 % features : (index1 % features) * features + (index2 % features);
}

/** The product of a column and a row: a contraction without a sum. */
export function isOuter({ shape, output, inputs }: Op): boolean {
  return shape === 'contract' && output === 'm' && inputs[0] === 'v';
}

/** How many elements an operand has at a feature size. */
export function elements(type: OperandType, features: number): number {
  return type === 's' ? 1 : type === 'v' ? features : features * features;
}
