// The flags that say how to read a table, for every command that takes one, and what was found in it.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { TableRequest } from '../data/open-tasks.js';
import type { ColumnKind } from '../tasks/tabular/infer.js';
import type { TableReport } from '../tasks/tabular/tabular.js';
import { TASK_KINDS, type TaskKind } from '../tasks/task-kind.js';
import { printable, quote, shorten } from '../util/quote.js';
import { integer } from './options.js';
import { colors, count, print } from './output.js';

export interface TableFlags {
  readonly target?: string;
  readonly targetKind?: TaskKind;
  readonly missing?: readonly string[];
  readonly delimiter?: string;
  readonly ignore?: readonly string[];
  readonly kind?: Readonly<Record<string, ColumnKind>>;
  readonly maxCategories?: number;
  readonly validPart?: number;
}

/** What a column can be taken for; one that is not to be used is ignored. */
const USED_KINDS = ['number', 'category'] as const satisfies readonly ColumnKind[];

function columnKind(text: string, before: Readonly<Record<string, ColumnKind>> = {}): Record<string, ColumnKind> {
  const at = text.lastIndexOf('=');
  const kind = USED_KINDS.find((known) => known === text.slice(at + 1));
  if (at < 1 || kind === undefined) {
    throw new InvalidArgumentError(`Expected COLUMN=KIND with KIND ${USED_KINDS.join(' or ')}.`);
  }
  return { ...before, [text.slice(0, at)]: kind };
}

function part(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value < 1))
    throw new InvalidArgumentError('Expected a number between 0 and 1.');
  return value;
}

/** What stands between the cells of a table; never what stands around them, or between rows. */
export function delimiter(text: string): string {
  const character = text === '\\t' ? '\t' : text;
  if (character.length !== 1 || /["\r\n]/.test(character)) {
    throw new InvalidArgumentError('Expected one character, such as ; or \\t.');
  }
  return character;
}

const collect = (text: string, before: readonly string[] = []) => [...before, text];

export function addTableOptions(command: Command): Command {
  return command
    .option('--target <COLUMN>', 'of a table: the column to predict')
    .addOption(
      new Option('--target-kind <KIND>', 'of a table: what the target is (default: inferred)').choices(TASK_KINDS),
    )
    .option(
      '--kind <COLUMN=KIND>',
      `of a table: what a column is, ${USED_KINDS.join(' or ')} (default: inferred); can be repeated`,
      columnKind,
    )
    .option('--ignore <COLUMN>', 'of a table: a column not to use; can be repeated', collect)
    .option(
      '--max-categories <N>',
      'of a table: most columns that a category becomes, others together (default: 10)',
      integer(1, 1000),
    )
    .option(
      '--missing <TEXT>',
      'of a table: a text that says nothing, instead of NA, N/A, NaN, null, ? and -; can be repeated',
      collect,
    )
    .option('--delimiter <C>', 'of a table: what stands between cells (default: found out)', delimiter)
    .option('--valid-part <P>', 'of a table: the part of the rows to validate on (default: 0.2)', part);
}

/** The flags as the reader of tables takes them; undefined without a target. */
export function tableOptions(flags: TableFlags): TableRequest | undefined {
  const { target, targetKind, ignore, kind, maxCategories, missing, delimiter, validPart } = flags;
  if (target === undefined) return undefined;
  return {
    target,
    ...(targetKind && { task: targetKind }),
    ...(ignore && { ignore }),
    ...(kind && { kinds: kind }),
    ...(maxCategories && { maxCategories }),
    ...(missing && { missing }),
    ...(delimiter && { delimiter }),
    ...(validPart && { validFraction: validPart }),
  };
}

const MOST_COLUMNS = 20;
const NAME_WIDTH = 24;

function cell(text: string, width: number): string {
  return shorten(printable(text), width - 2).padEnd(width);
}

/** What was inferred, so that a wrong guess is seen and can be overridden. */
export function printTableReport({ name, target, columns, ...report }: TableReport): void {
  const leftOut = report.rowsLeftOut === 0 ? '' : `, ${report.rowsLeftOut} left out for lack of a target`;
  const separated =
    report.delimiter === undefined || report.delimiter === ',' ? '' : `, cells between ${quote(report.delimiter)}`;
  print(`${colors.bold(name)}: ${count(report.rowsUsed, 'row')}${leftOut}${separated}`);
  const classes = target.classes.map((known) => `${shorten(printable(known.name), 20)} (${known.count})`).join(', ');
  print(
    `  ${cell(target.name, NAME_WIDTH)}${colors.bold(`target, ${target.kind}`)}: ${target.why}${classes && `: ${classes}`}`,
  );
  for (const { name: column, kind, why, missing, encoded } of columns.slice(0, MOST_COLUMNS)) {
    const notes = [
      why,
      ...(missing > 0 ? [`${missing} missing`] : []),
      ...(encoded > 1 ? [`${encoded} features`] : []),
    ];
    const line = `  ${cell(column, NAME_WIDTH)}${kind.padEnd(10)}${notes.join(', ')}`;
    print(encoded === 0 ? colors.dim(`${line}; not used`) : line);
  }
  if (columns.length > MOST_COLUMNS)
    print(`  and ${count(columns.length - MOST_COLUMNS, 'column')} more (--json has all)`);
  const fits = { exact: '', padded: `, padded to ${report.features}`, projected: `, projected to ${report.features}` };
  print(`  ${count(report.encodedColumns, 'feature')}${fits[report.fit]}\n`);
}
