// Names for the values of an exported class: from the words of the explanation where it has them, else the address. No two
// alike, none that the language or the generated code needs. Must not know programs.
import { FUNCTION_NAMES } from '../../program/program.js';
import type { Plan } from './plan.js';

/** What the arguments of the functions are called, in every language. */
export const ROLE_NAMES = { features: 'x', label: 'label', prediction: 'prediction' } as const;

export type Spelling = 'camelCase' | 'snake_case';

/** `learning rate` as learningRate or learning_rate; nothing if no name can be made of it. */
function spell(words: string, spelling: Spelling): string | undefined {
  const parts = words
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '');
  if (parts.length === 0 || /^\d/.test(parts[0]!)) return undefined;
  if (spelling === 'snake_case') return parts.join('_');
  return parts.map((part, k) => (k === 0 ? part : part[0]!.toUpperCase() + part.slice(1))).join('');
}

const ADDRESS_LIKE = /^[svm]\d+$/;
/** Longer ones are no names any more. */
const MAX_LENGTH = 40;

export interface Names {
  /** By address: of fields and local variables. */
  readonly values: ReadonlyMap<string, string>;
  /** By address: of parameters of the constructor. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** What cannot be names: of members of the class, and of variables in its functions. */
export interface ReservedNames {
  readonly members: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
}

export function chooseNames(plan: Plan, spelling: Spelling, { members, variables }: ReservedNames): Names {
  const values = FUNCTION_NAMES.flatMap((name) =>
    plan.functions[name].statements.flatMap(({ inputs, output }) => [output, ...inputs]),
  );
  // An address of the task is something else only for a while: its number says so.
  const taskKeys = new Set(values.flatMap(({ key, role }) => (role === undefined ? [] : [key])));
  const locals = new Set(values.flatMap(({ key, kind }) => (kind === 'local' ? [key] : [])));
  const keys = new Set(values.flatMap(({ key, kind }) => (kind === 'field' || kind === 'local' ? [key] : [])));
  const wordsOf = (key: string) => (taskKeys.has(key) ? undefined : plan.names.get(key));
  const all = [...plan.parameters.map(({ name }) => name), ...[...keys].map(wordsOf)].map(
    (words) => words && spell(words, spelling),
  );

  const taken = new Set<string>();
  const choose = (words: string | undefined, key: string, isLocal: boolean): string | undefined => {
    const wanted = words && spell(words, spelling);
    if (!wanted || ADDRESS_LIKE.test(wanted) || wanted.length > MAX_LENGTH) return undefined;
    const isFree =
      all.filter((other) => other === wanted).length === 1 &&
      !members.has(wanted) &&
      !(isLocal && variables.has(wanted)) &&
      !Object.values<string>(ROLE_NAMES).includes(wanted);
    const name = isFree ? wanted : spell(`${words} ${key}`, spelling)!;
    if (taken.has(name)) return undefined;
    taken.add(name);
    return name;
  };
  const parameters = new Map<string, string>();
  for (const { key, name, isConstant } of plan.parameters) {
    const fallback = isConstant ? key : spell(`initial ${key}`, spelling)!;
    parameters.set(key, choose(name, key, true) ?? fallback);
    taken.add(parameters.get(key)!);
  }
  return {
    values: new Map([...keys].map((key) => [key, choose(wordsOf(key), key, locals.has(key)) ?? key])),
    parameters,
  };
}
