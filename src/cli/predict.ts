// `evozero predict`: the answers of a fitted model for the rows of a table, as CSV; and its score, if the table has the target. What
// else is to be said goes to standard error.
import type { Command } from 'commander';
import { type Answer, compareColumns, type Model, predictTable, readTruth } from '../analysis/fit/model.js';
import { pairAnswers, type Score, scoreAnswers } from '../analysis/fit/score.js';
import { scoreText } from '../analysis/fit/score-text.js';
import { loadTable, TABLE_HELP } from '../models/load-table.js';
import { ModelError, readModel } from '../models/model-file.js';
import { predictionsCsv } from '../models/predictions-csv.js';
import type { Table } from '../tasks/tabular/table.js';
import { printable, quote, shorten } from '../util/quote.js';
import { Failure, UserError } from './errors.js';
import { count, note, print, printJson } from './output.js';
import { delimiter } from './table-options.js';
import { explainDataErrors } from './task-options.js';
import { writeText } from './write-text.js';

interface PredictFlags {
  readonly delimiter?: string;
  readonly out?: string;
  readonly json?: true;
}

function loadModel(path: string): Model {
  try {
    return readModel(path).model;
  } catch (error) {
    throw error instanceof ModelError ? new UserError(error.message) : error;
  }
}

const SHOWN = 5;

/** Says what is not used, or not as it was meant. */
function noteColumns({ encoding }: Model, table: Table): { hasTarget: boolean } {
  const { extra, unseen, hasTarget } = compareColumns(encoding, table);
  if (extra.length > 0) {
    const names = extra.slice(0, SHOWN).map(quote).join(', ');
    note(`${table.name}: ${count(extra.length, 'column')} not used: ${names}${extra.length > SHOWN ? ', ...' : ''}`);
  }
  for (const { column, cells } of unseen) {
    note(
      `${table.name}: column ${quote(column)}: ${count(cells, 'cell')} with values unknown to the model, as if missing`,
    );
  }
  return { hasTarget };
}

/** Nothing if no row has a target. */
function scoreOf({ encoding }: Model, table: Table, answers: readonly Answer[]): Score | undefined {
  const scored = pairAnswers(readTruth(encoding, table), answers);
  return scored.truth.length === 0 ? undefined : scoreAnswers(scored, encoding.target.kind !== 'regression');
}

async function predict(modelPath: string, argument: string, { delimiter, out, json }: PredictFlags): Promise<void> {
  const model = loadModel(modelPath);
  const table = await loadTable(argument, delimiter);
  if (table.rows.length === 0) throw new UserError(`${table.name}: there is a header, but no rows`);
  const { hasTarget } = noteColumns(model, table);
  const answers = predictTable(model, table);
  const silent = answers.filter(({ prediction }) => prediction === undefined).length;
  if (silent === answers.length) throw new Failure(`${table.name}: the model predicts no number for any row`);
  if (silent > 0)
    note(`${table.name}: no prediction for ${count(silent, 'row')}, which are too far from what was learned`);
  const score = hasTarget ? scoreOf(model, table, answers) : undefined;
  const csv = predictionsCsv(answers, model.encoding.target.kind !== 'regression');
  if (out !== undefined) writeText(out, csv);
  if (json) {
    const predictions = answers.map(({ prediction = null, ...rest }) => ({ prediction, ...rest }));
    printJson({
      model: modelPath,
      table: table.name,
      target: model.encoding.target.name,
      score: score ?? null,
      predictions,
    });
    return;
  }
  if (out === undefined) print(csv.trimEnd());
  if (score === undefined) return;
  const text = `${shorten(printable(model.encoding.target.name))}: ${scoreText(score)} on ${count(score.rows, 'row')}`;
  // Beside predictions on standard output, the score must not become one of them.
  if (out === undefined) note(text);
  else print(text);
}

export function addPredict(cli: Command): void {
  cli
    .command('predict')
    .description('predict the rows of a table with a model that evozero fit has left; prints CSV')
    .argument('<MODEL>', 'a model file')
    .argument('<DATA>', TABLE_HELP)
    .option('--delimiter <C>', 'what stands between cells (default: found out)', delimiter)
    .option('--out <FILE>', 'write the CSV to a file, and print the score if the table has the target')
    .option('--json', 'print one JSON object')
    .action((model: string, data: string, flags: PredictFlags) => explainDataErrors(() => predict(model, data, flags)));
}
