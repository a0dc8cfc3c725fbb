// The program of a run with what can be said about it: comments, techniques, the flow of its data and its algebra. Texts that are
// no program keep their words. Must not know pages.
import { type Graph, graphOf } from '../analysis/diagram/graph.js';
import { explain } from '../analysis/explain/explain.js';
import type { Explanation } from '../analysis/explain/explanation.js';
import { latex } from '../analysis/explain/latex.js';
import { judgePrediction, type Verdict } from '../analysis/explain/verdict.js';
import type { Config } from '../experiment/config.js';
import { fittingLoss, lossOfConfig } from '../experiment/config-loss.js';
import { ProgramTextError } from '../program/lexer.js';
import { simplify } from '../program/liveness.js';
import { type ProgramSource, parseSource } from '../program/parse.js';
import { functionParameters, functionTitle, printInstruction, printProgram } from '../program/print.js';
import { FUNCTION_NAMES, type LabelKind, type Program } from '../program/program.js';

export interface ExplainedProgram extends ProgramSource {
  readonly explanation: Explanation;
  /** With a comment beside each instruction. */
  readonly text: string;
}

/** Finds the techniques of many programs of a run: those that differ only in what has no effect are looked at once. */
export function techniqueFinder(config: Config): (program: Program, labels: LabelKind) => Explanation {
  const known = new Map<string, Explanation>();
  const loss = lossOfConfig(config);
  return (program, labels) => {
    const live = simplify(program, labels);
    const text = printProgram(live, labels);
    const explanation = known.get(text) ?? explain(live, labels, fittingLoss(loss, labels));
    known.set(text, explanation);
    return explanation;
  };
}

/** Comments stand in one column, but for lines that are longer than this. */
const MAX_WIDTH = 34;

function annotate({ program, labels }: ProgramSource, { comments }: Explanation): string {
  const codes = FUNCTION_NAMES.map((name) => program[name].map((instruction) => `  ${printInstruction(instruction)}`));
  const lengths = codes.flat().map(({ length }) => length);
  const width = Math.max(0, ...lengths.filter((length) => length <= MAX_WIDTH));
  return FUNCTION_NAMES.map((name, f) => {
    const lines = codes[f]!.map((code, k) => {
      const comment = comments[name][k]!;
      return comment === '' ? code : `${code.padEnd(width)}  # ${comment}`;
    });
    return [`def ${functionTitle(name)}(${functionParameters(name, labels)}):`, ...lines].join('\n');
  }).join('\n\n');
}

/** The program with all that is known about it; or what is wrong with its text. */
export function explainText(text: string, config: Config): ExplainedProgram | { readonly problem: string } {
  try {
    const source = parseSource(text, config.space.memory);
    const loss = fittingLoss(lossOfConfig(config), source.labels);
    const explanation = explain(source.program, source.labels, loss);
    return { ...source, explanation, text: annotate(source, explanation) };
  } catch (error) {
    if (error instanceof ProgramTextError) return { problem: error.message };
    throw error;
  }
}

/** What is plain about the prediction. */
export function verdictOn({ program, labels }: ProgramSource): Verdict {
  return judgePrediction(program, labels);
}

export function flowOf({ program, labels, explanation }: ExplainedProgram): Graph {
  return graphOf(program, labels, explanation);
}

export function algebraOf({ program, labels }: ProgramSource, config: Config): string {
  return latex(program, labels, fittingLoss(lossOfConfig(config), labels));
}
