// docs/reference/events.md: every line that events.jsonl may have, from the types in src/experiment/events.ts and their comments. Must not
// know how runs work.
import ts from 'typescript';
import { commentOf, exportsOf } from './declarations.js';

const HEAD = `# Events

Made from the types (\`src/experiment/events.ts\`) by \`npm run docs\`; do not edit.

\`events.jsonl\` of a run directory has one JSON object in each line, appended as the run goes on; \`search\` of the library yields the same objects. \`type\` says which
it is. Events hold no times, so that a run that was killed and resumed leaves the same bytes as one that never stopped; \`progress.csv\` has the times. A
program is a text in the notation of the paper. A reader should pass over types and fields that it does not know, and over a last line
that is not complete yet.

| type | when |
| --- | --- |
`;

/** What an interface extends, by name: of \`Omit<T, 'field'>\` that of T without the field. */
function parents(declaration, byName) {
  const clauses = declaration.heritageClauses?.flatMap(({ types }) => [...types]) ?? [];
  return clauses.flatMap(({ expression, typeArguments }) => {
    const isWrapped = ['Omit', 'Readonly'].includes(expression.getText());
    const name = isWrapped ? typeArguments[0].getText() : expression.getText();
    const omitted = expression.getText() === 'Omit' ? typeArguments[1].getText().replaceAll("'", '').split(' | ') : [];
    const parent = byName.get(name);
    if (parent === undefined) throw new Error(`${declaration.name.text} extends ${name}, which is not found`);
    return fieldsOf(parent, byName).filter((field) => !omitted.includes(field.name));
  });
}

function fieldsOf(declaration, byName) {
  const own = declaration.members.map((member) => ({
    name: member.name.getText(),
    isOptional: member.questionToken !== undefined,
    type: member.type.getText().replaceAll('readonly ', '').replace(/\s+/g, ' '),
    about: commentOf(member),
  }));
  const inherited = parents(declaration, byName).filter(({ name }) => !own.some((each) => each.name === name));
  // `type` first, then what all have in common.
  return [...own.filter(({ name }) => name === 'type'), ...inherited, ...own.filter(({ name }) => name !== 'type')];
}

const cell = (text) => text.replaceAll('|', '\\|');

function fieldTable(fields) {
  const rows = fields.map(
    ({ name, isOptional, type, about }) =>
      `| \`${name}\`${isOptional ? ' (may be absent)' : ''} | \`${cell(type)}\` | ${cell(about)} |\n`,
  );
  return `| field | type | what it is |\n| --- | --- | --- |\n${rows.join('')}`;
}

/** Every interface of the modules, exported or not. */
function interfaces(modules) {
  const found = new Map();
  for (const source of modules) {
    for (const statement of source.statements) {
      if (ts.isInterfaceDeclaration(statement)) found.set(statement.name.text, statement);
    }
  }
  return found;
}

/** The page. `root` is the folder of the compiled library. */
export function eventsPage(root) {
  const events = exportsOf(root, 'experiment/events.d.ts');
  const counts = exportsOf(root, 'evaluate/candidate-evaluator.d.ts');
  const byName = interfaces([...events, ...counts].map(({ statements }) => statements[0].getSourceFile()));
  const union = events.find(({ name }) => name === 'RunEvent').statements[0];
  const names = union.type.types.map((type) => type.getText());
  const described = names.map((name) => {
    const declaration = byName.get(name);
    const fields = fieldsOf(declaration, byName);
    const type = fields[0].type.replaceAll("'", '');
    return { type, about: commentOf(declaration), fields };
  });
  const list = described.map(({ type, about }) => `| [\`${type}\`](#${type}) | ${cell(about)} |\n`).join('');
  const sections = described.map(
    ({ type, about, fields }) => `\n## ${type}\n\n${about}\n\n${fieldTable(fields.slice(1))}`,
  );
  const others = events
    .filter(
      ({ name, statements }) =>
        !names.includes(name) && name !== 'RunEvent' && ts.isInterfaceDeclaration(statements[0]),
    )
    .filter(({ name }) => name !== 'MigrationCounts')
    .map(
      ({ name, about, statements }) => `\n### ${name}\n\n${about}\n\n${fieldTable(fieldsOf(statements[0], byName))}`,
    );
  const reasons = events.find(({ name }) => name === 'EndReason');
  return `${HEAD}${list}${sections.join('')}
## What events are made of

\`EndReason\`: ${reasons.about} One of ${reasons.statements[0].type.types.map((type) => `\`${type.getText().replaceAll("'", '')}\``).join(', ')}.

\`Origin\`: what made a program: \`initial\`, \`copy\`, \`migration\`, or the name of a mutation ([search.md](../search.md)).
${others.join('')}`;
}
