// docs/reference/config.md: every field of a configuration, from the schema that reads it. Must not know files.

const HEAD = `# Fields of a configuration

Made from the schema (\`src/experiment/config-schema.ts\`) by \`npm run docs\`; do not edit.

\`evozero run FILE\` takes a file in YAML or JSON with these fields, \`--set search.population=300\` sets one of them, and the library takes the
same as an object. \`evozero presets show NAME\` prints a whole one to start from. A file may begin with \`extends: PRESET\`: then it needs only what
is to be different.

\`\`\`yaml
extends: linear
name: larger-population
search: { population: 3000 }
stop: { minutes: 5 }
\`\`\`

An unknown field or a value out of range is refused with its line and what was expected. Where a default is given, the field may be left out; *none* means that it
may be left out and then says nothing.
`;

/** A field that may be null: what it is otherwise. */
function withoutNull(schema) {
  if (Array.isArray(schema.type)) return { ...schema, type: schema.type.find((type) => type !== 'null') };
  const others = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return others.length === 1 && others.length < schema.anyOf.length ? others[0] : schema;
}

const isNullable = (schema) => withoutNull(schema) !== schema;

/** Of objects: that it is one is worth a row if it has a description, or may be null. */
const hasOwnRow = (schema, path) => isNullable(schema) || (schema.description !== undefined && path.includes('.'));

function number(value) {
  return value.toLocaleString('en-US', { maximumFractionDigits: 20 });
}

function range({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }) {
  const what = type === 'integer' ? 'a whole number' : 'a number';
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const low = minimum !== undefined ? `from ${number(minimum)}` : undefined;
  const above = exclusiveMinimum !== undefined ? `above ${number(exclusiveMinimum)}` : undefined;
  const below = exclusiveMaximum !== undefined ? `below ${number(exclusiveMaximum)}` : undefined;
  const high = most !== undefined ? `to ${number(most)}` : undefined;
  return [what, low ?? above, high ?? (below && `and ${below}`)].filter((part) => part !== undefined).join(' ');
}

/** What may be written, in words. */
function values(schema) {
  const inner = withoutNull(schema);
  const orNull = isNullable(schema) ? ', or null' : '';
  if (inner.enum !== undefined) return inner.enum.map((value) => `\`${value}\``).join(', ') + orNull;
  if (inner.const !== undefined) return `\`${inner.const}\`${orNull}`;
  if (inner.anyOf !== undefined) return inner.anyOf.map(values).join(', or ') + orNull;
  if (inner.prefixItems !== undefined) return `a list of ${inner.prefixItems.length}${orNull}`;
  if (inner.type === 'array') return `a list${orNull}`;
  if (inner.type === 'integer' || inner.type === 'number') return range(inner) + orNull;
  if (inner.type === 'boolean') return `true or false${orNull}`;
  if (inner.type === 'string') return `a text${orNull}`;
  return `a list, or a text${orNull}`;
}

function fallback(schema, isRequired) {
  if (schema.default !== undefined) return `\`${JSON.stringify(schema.default)}\``;
  return isRequired ? '*must be given*' : '*none*';
}

/** Rows of all fields below a schema, each with its path. */
function* fields(schema, path, isRequired) {
  const inner = withoutNull(schema);
  if (inner.properties === undefined) {
    yield { path, about: schema.description ?? '', values: values(schema), fallback: fallback(schema, isRequired) };
    const items = inner.type === 'array' ? deepestItems(inner.items) : undefined;
    if (items?.properties !== undefined) yield* fieldsOf(items, `${path}[]`);
    return;
  }
  if (hasOwnRow(schema, path)) {
    const about = schema.description ?? '';
    const what = isNullable(schema) ? 'an object, or null' : 'an object';
    yield { path, about, values: what, fallback: fallback(schema, isRequired) };
  }
  yield* fieldsOf(inner, path);
}

function deepestItems(items) {
  return items?.type === 'array' ? deepestItems(items.items) : items;
}

/** Fields that are the same but for their names, as the weights of mutations are, or for their names and what they are about, as the three
 * functions are, together. */
function alike(properties) {
  const groups = new Map();
  for (const [name, schema] of Object.entries(properties)) {
    const isLeaf = withoutNull(schema).properties === undefined;
    const key = JSON.stringify(isLeaf ? schema : { ...schema, description: '' });
    groups.set(key, [...(groups.get(key) ?? []), [name, schema]]);
  }
  return [...groups.values()];
}

function describeGroup(group) {
  const texts = new Set(group.map(([, { description }]) => description));
  if (texts.size === 1) return group[0][1].description;
  return group.map(([name, { description }]) => `${name}: ${description}`).join('; ');
}

function* fieldsOf({ properties, required = [] }, path) {
  for (const group of alike(properties)) {
    const [[name, schema]] = group;
    const names = group.length === 1 ? name : `{${group.map(([each]) => each).join(', ')}}`;
    const place = path === '' ? names : `${path}.${names}`;
    yield* fields({ ...schema, description: describeGroup(group) }, place, required.includes(name));
  }
}

const cell = (text) => text.replaceAll('|', '\\|');

function table(rows) {
  const lines = rows.map(
    ({ path, about, values, fallback }) => `| \`${path}\` | ${cell(about)} | ${cell(values)} | ${fallback} |\n`,
  );
  return `| field | what it is | values | default |\n| --- | --- | --- | --- |\n${lines.join('')}`;
}

/** The page, from the JSON schema of what somebody may write. */
export function configPage(schema) {
  const entries = Object.entries(schema.properties);
  const isSection = (each) => withoutNull(each).properties !== undefined;
  const plain = entries.filter(([, each]) => !isSection(each));
  const rows = (list) => list.flatMap(([name, each]) => [...fields(each, name, schema.required?.includes(name))]);
  const sections = entries
    .filter(([, each]) => isSection(each))
    .map(([name, each]) => {
      const about =
        each.description === undefined ? '' : `${each.description[0].toUpperCase()}${each.description.slice(1)}.\n\n`;
      return `\n## ${name}\n\n${about}${table(rows([[name, each]]))}`;
    });
  return `${HEAD}\n## The search as a whole\n\n${table(rows(plain))}${sections.join('')}`;
}
