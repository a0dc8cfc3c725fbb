// Reads declarations out of the compiled library's .d.ts files: what a module exports, where each was declared, its comment and its text.
// Looks at syntax only, so that it is quick. Must not know which pages are made of it.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const sources = new Map();

function sourceOf(file) {
  if (!sources.has(file)) {
    sources.set(file, ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true));
  }
  return sources.get(file);
}

function moduleFile(from, specifier) {
  const file = join(dirname(from), specifier.text.replace(/\.js$/, '.d.ts'));
  return existsSync(file) ? file : undefined;
}

function namesOf(statement) {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map((declaration) => declaration.name.text);
  }
  return statement.name === undefined ? [] : [statement.name.text];
}

const isExported = (statement) =>
  statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;

/** The name under which a module has something, and the module that it comes from. */
function forwarded(source, name) {
  for (const statement of source.statements) {
    const specifier = statement.moduleSpecifier;
    if (specifier === undefined) continue;
    const elements = ts.isExportDeclaration(statement)
      ? statement.exportClause?.elements
      : statement.importClause?.namedBindings?.elements;
    for (const element of elements ?? []) {
      if (element.name.text === name) return { specifier, name: (element.propertyName ?? element.name).text };
    }
  }
  return undefined;
}

/** Follows a name to the statement that declares it. */
function findDeclaration(file, name) {
  const source = sourceOf(file);
  const statements = source.statements.filter((statement) => namesOf(statement).includes(name));
  if (statements.length > 0) return { file, statements };
  const from = forwarded(source, name);
  const next = from && moduleFile(file, from.specifier);
  if (!next) throw new Error(`${file}: where ${name} comes from is not found`);
  return findDeclaration(next, from.name);
}

/** The text of a comment in front of something, without its marks. */
export function commentOf(node) {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  if (comment === undefined) return '';
  return ts.getTextOfJSDocComment(comment.comment)?.replace(/\s*\n\s*/g, ' ') ?? '';
}

/** The text of a declaration without its own comment, without private members, and without `export declare`. */
function textOf(statement) {
  const source = statement.getSourceFile();
  const cuts = ts.isClassDeclaration(statement)
    ? statement.members.filter((member) => member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword))
    : [];
  let text = '';
  let end = statement.getStart(source, false);
  for (const cut of cuts) {
    text += source.text.slice(end, cut.getFullStart());
    end = cut.getEnd();
  }
  text += source.text.slice(end, statement.getEnd());
  return text.replace(/^(export )?(declare )?/, '').replace(/^( {4})+/gm, (indent) => ' '.repeat(indent.length / 2));
}

function kindOf(statement) {
  if (ts.isFunctionDeclaration(statement)) return 'function';
  if (ts.isClassDeclaration(statement)) return 'class';
  if (ts.isVariableStatement(statement)) return 'constant';
  return 'type';
}

function describe(root, name, file) {
  const { file: home, statements } = findDeclaration(file, name);
  return {
    name,
    kind: kindOf(statements[0]),
    /** Of the source, in src/. */
    module: relative(root, home)
      .replaceAll('\\', '/')
      .replace(/\.d\.ts$/, '.ts'),
    about: commentOf(statements[0]),
    text: statements.map(textOf).join('\n'),
    statements,
  };
}

/** Everything that a module of the compiled library exports, in its order. `root` is the folder of what was compiled. */
export function exportsOf(root, path) {
  const file = join(root, path);
  return sourceOf(file).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) {
      return isExported(statement) ? namesOf(statement).map((name) => describe(root, name, file)) : [];
    }
    const elements = statement.exportClause?.elements;
    if (elements !== undefined) return elements.map((element) => describe(root, element.name.text, file));
    const all = moduleFile(file, statement.moduleSpecifier);
    return sourceOf(all)
      .statements.filter(isExported)
      .flatMap((one) => namesOf(one).map((name) => describe(root, name, all)));
  });
}
