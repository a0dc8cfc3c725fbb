// Turns a program into a small class in another language that trains and predicts as the engines do (docs/export.md). Must not
// know files or commands.
import { type Loss, labelKind } from '../../engine/engine.js';
import type { LabelKind, Program } from '../../program/program.js';
import { quote } from '../../util/quote.js';
import { type Explanation, TECHNIQUES } from '../explain/explanation.js';
import { ExportError } from './export-error.js';
import { commentText, type Plan, planExport } from './plan.js';
import { isPythonName, writePython } from './python.js';
import { isScriptName, writeScript } from './script.js';

export const EXPORT_LANGUAGES = ['ts', 'js', 'python'] as const;
/** The languages that `exportProgram` writes. */
export type ExportLanguage = (typeof EXPORT_LANGUAGES)[number];

/** What an export is to be. */
export interface ExportOptions {
  readonly to: ExportLanguage;
  readonly loss: Loss;
  /** Gives names and comments. */
  readonly explanation: Explanation;
  /** Of the class. */
  readonly name: string;
}

const CLASS_NAME = /^[A-Z][A-Za-z0-9_]{0,79}$/;

function checkName(name: string, to: ExportLanguage): void {
  if (!CLASS_NAME.test(name)) {
    throw new ExportError(
      'name',
      `${quote(name)} is no name for a class: expected a capital letter, then letters and digits`,
    );
  }
  if (!(to === 'python' ? isPythonName(name) : isScriptName(name))) {
    throw new ExportError('name', `${quote(name)} has another meaning in ${to}: choose another name for the class`);
  }
}

const TASKS: { readonly [L in Loss]: string } = {
  rms: 'regression',
  accuracy: 'two classes',
  multiclass: 'ten classes',
};

function openingLines(plan: Plan, { name, explanation, loss }: ExportOptions): string[] {
  const { setup, predict, learn } = plan.functions;
  const lines = [
    `${name}: a learning algorithm for ${TASKS[loss]}, exported by evozero. Comments behind lines are the program's instructions.`,
  ];
  if ([setup, predict, learn].every(({ statements }) => statements.length === 0)) {
    lines.push('Nothing in the program can reach its prediction, which is therefore always the same.');
  } else if (learn.statements.length === 0) {
    lines.push('The program learns nothing: training only sees whether its errors stay within bounds.');
  }
  for (const technique of explanation.techniques) {
    lines.push(`- ${commentText(`${TECHNIQUES[technique.name]}: ${technique.why}`)}`);
  }
  return lines;
}

/** The text of a module with one class. Throws ExportError. */
export function exportProgram(program: Program, labels: LabelKind, options: ExportOptions): string {
  const { to, loss, explanation, name } = options;
  checkName(name, to);
  if (labelKind(loss) !== labels) {
    const losses = labels === 'vector' ? 'multiclass' : 'rms or accuracy';
    throw new ExportError(
      'loss',
      `the program learns from ${labels} labels, so that its loss is ${losses}, not ${loss}`,
    );
  }
  const plan = planExport(program, loss, explanation);
  const mark = to === 'python' ? '#' : '//';
  const opening = openingLines(plan, options).map((line) => `${mark} ${line}\n`);
  return `${opening.join('')}\n${to === 'python' ? writePython(plan, name) : writeScript(plan, name, to)}`;
}
