// Answers as the text of a CSV file: a line for each row, in order. Must not know models.
import Papa from 'papaparse';
import type { Answer } from '../analysis/fit/model.js';

/** What readers of tables take for nothing; an empty line would be lost. */
const NO_ANSWER = 'NA';

/** Of classes with the probability of the one that is predicted. */
export function predictionsCsv(answers: readonly Answer[], areClasses: boolean): string {
  const header = areClasses ? ['prediction', 'probability'] : ['prediction'];
  const rows = answers.map(({ prediction = NO_ANSWER, probability = NO_ANSWER }) =>
    areClasses ? [prediction, probability] : [prediction],
  );
  return `${Papa.unparse([header, ...rows], { newline: '\n' })}\n`;
}
