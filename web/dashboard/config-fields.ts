// The fields of a form, read off a JSON Schema: groups of numbers, texts, switches and choices; what is none of these is edited as JSON.
// Must not know which settings there are, nor the page.

export type Path = readonly string[];

interface Base {
  readonly path: Path;
  readonly title: string;
  /** What stands for an empty field: nothing at all, or null. */
  readonly empty: null | undefined;
}

export type Field =
  | (Base & { readonly kind: 'group'; readonly fields: readonly Field[] })
  | (Base & { readonly kind: 'number'; readonly isWhole: boolean; readonly least?: number; readonly most?: number })
  | (Base & { readonly kind: 'choice'; readonly options: readonly string[] })
  /** Of several texts, with commas between them. */
  | (Base & { readonly kind: 'text' | 'list' | 'switch' | 'json' });

type Schema = Readonly<Record<string, unknown>>;

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `mutation probability` of `mutationProbability`. */
function titleOf(name: string): string {
  return name.replaceAll('-', ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The schema of what is not null, and whether null is allowed. */
function splitNull(schema: Schema): { readonly inner: Schema; readonly isNullable: boolean } {
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    const [type, ...others] = schema.type.filter((name) => name !== 'null');
    return { inner: { ...schema, type: others.length === 0 ? type : undefined }, isNullable: true };
  }
  if (!Array.isArray(schema.anyOf)) return { inner: schema, isNullable: false };
  const others = schema.anyOf.filter(isSchema).filter(({ type }) => type !== 'null');
  const inner = others.length === 1 ? others[0]! : schema;
  return { inner, isNullable: others.length < schema.anyOf.length };
}

function limit(schema: Schema, name: 'minimum' | 'maximum'): number | undefined {
  const value = schema[name];
  // No limit to speak of.
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
}

function readField(name: string, schema: Schema, path: Path): Field {
  const { inner, isNullable } = splitNull(schema);
  const base: Base = { path, title: titleOf(name), empty: isNullable ? null : undefined };
  const { type } = inner;
  if (isSchema(inner.properties)) return { ...base, kind: 'group', fields: readFields(inner, path) };
  if (Array.isArray(inner.enum)) return { ...base, kind: 'choice', options: inner.enum.map(String) };
  if (type === 'integer' || type === 'number') {
    const [least, most] = [limit(inner, 'minimum'), limit(inner, 'maximum')];
    const limits = { ...(least !== undefined && { least }), ...(most !== undefined && { most }) };
    return { ...base, kind: 'number', isWhole: type === 'integer', ...limits };
  }
  if (type === 'boolean') return { ...base, kind: 'switch' };
  if (type === 'string') return { ...base, kind: 'text' };
  const isList = type === 'array' && isSchema(inner.items) && inner.items.type === 'string';
  // With nothing but a description it is what a schema cannot tell, such as lists of ops.
  const isUntold = Object.keys(inner).every((key) => key === 'description');
  return { ...base, kind: isList || isUntold ? 'list' : 'json' };
}

/** The fields of an object, in the order of its schema. */
export function readFields(schema: Schema, path: Path = []): Field[] {
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  return properties.map(([name, inner]) => readField(name, isSchema(inner) ? inner : {}, [...path, name]));
}

export function getAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, name) => (isSchema(inner) ? inner[name] : undefined), value);
}

/** The same with another value at the path; undefined takes the field away. */
export function setAt(value: unknown, [name, ...rest]: Path, next: unknown): unknown {
  if (name === undefined) return next;
  const { [name]: before, ...others } = isSchema(value) ? value : {};
  const inner = setAt(before, rest, next);
  if (inner === undefined) return others;
  // Fields keep their order.
  return isSchema(value) && name in value ? { ...value, [name]: inner } : { ...others, [name]: inner };
}
