// What pages ask about a program: its explanation, techniques, diagram and export, each from its text and the configuration of its run.
// Pure, and may take a good part of a second: a thread calls it. Must not know runs or requests of pages.
import { toSvg } from '../analysis/diagram/svg.js';
import { type Explanation, TECHNIQUES, type Technique } from '../analysis/explain/explanation.js';
import { VERDICT_TEXTS } from '../analysis/explain/verdict.js';
import { ExportError } from '../analysis/export/export-error.js';
import { type ExportLanguage, exportProgram } from '../analysis/export/export-program.js';
import type { Loss } from '../engine/engine.js';
import type { Config } from '../experiment/config.js';
import { lossOfConfig } from '../experiment/config-loss.js';
import { simplify } from '../program/liveness.js';
import { printProgram } from '../program/print.js';
import { countInstructions, type LabelKind } from '../program/program.js';
import { algebraOf, type ExplainedProgram, explainText, flowOf, verdictOn } from '../reports/explained-program.js';
import { withoutStyle } from '../reports/flow-figure.js';
import { LOSS_OF_KIND } from '../tasks/task-kind.js';
import { count } from '../util/number-text.js';
import type { ExplainedText, TechniqueNote } from './api.js';

interface AboutProgram {
  readonly text: string;
  readonly config: Config;
}

/** What is asked, by its kind. */
export interface Questions {
  readonly explain: AboutProgram;
  readonly techniques: AboutProgram;
  readonly diagram: AboutProgram & { readonly isStyled: boolean };
  readonly export: AboutProgram & { readonly to: ExportLanguage; readonly name: string };
}

export interface ProgramExplanation {
  readonly labels: LabelKind;
  readonly raw: ExplainedText;
  readonly simplified: ExplainedText;
  readonly remark: string | null;
  readonly latex: string;
}

/** What is answered, by the kind of the question. */
export interface Answers {
  readonly explain: ProgramExplanation;
  /** Of the simplified program. */
  readonly techniques: readonly Technique[];
  readonly diagram: string;
  readonly export: string;
}

export type Kind = keyof Questions;
/** A text that is no program, or one that cannot be exported, has a problem instead of an answer. */
export type Outcome<K extends Kind> = { readonly answer: Answers[K] } | { readonly problem: string };

export function noteTechniques(techniques: readonly Technique[]): TechniqueNote[] {
  return techniques.map(({ name, why, places }) => ({ name, title: TECHNIQUES[name], why, places }));
}

function describe({ program, labels, explanation }: ExplainedProgram): ExplainedText {
  const { comments, names, techniques }: Explanation = explanation;
  return {
    text: printProgram(program, labels),
    instructions: countInstructions(program),
    comments,
    names: Object.fromEntries(names),
    techniques: noteTechniques(techniques),
  };
}

/** The program without what has no effect, explained. */
function explainLive({ program, labels }: ExplainedProgram, config: Config): ExplainedProgram {
  const live = explainText(printProgram(simplify(program, labels), labels), config);
  if ('problem' in live) throw new Error(`a simplified program cannot be read: ${live.problem}`);
  return live;
}

function explain(raw: ExplainedProgram, config: Config): ProgramExplanation {
  const simplified = explainLive(raw, config);
  return {
    labels: raw.labels,
    raw: describe(raw),
    simplified: describe(simplified),
    remark: VERDICT_TEXTS[verdictOn(simplified)] ?? null,
    latex: algebraOf(simplified, config),
  };
}

function draw(raw: ExplainedProgram, { config, isStyled }: Questions['diagram']): string {
  const graph = flowOf(explainLive(raw, config));
  const description = `${count(graph.nodes.length, 'value')} and ${count(graph.edges.length, 'connection')}`;
  const svg = toSvg(graph, 'Flow of data', `The flow of data through the program: ${description}.`);
  return isStyled ? svg : withoutStyle(svg);
}

function lossFor(labels: LabelKind, config: Config): Loss {
  return labels === 'vector' ? LOSS_OF_KIND.multiclass : lossOfConfig(config);
}

function write(raw: ExplainedProgram, { config, to, name }: Questions['export']): string {
  const { program, labels, explanation } = explainLive(raw, config);
  return exportProgram(program, labels, { to, name, loss: lossFor(labels, config), explanation });
}

const ANSWERS: { readonly [K in Kind]: (raw: ExplainedProgram, question: Questions[K]) => Answers[K] } = {
  explain: (raw, { config }) => explain(raw, config),
  techniques: (raw, { config }) => explainLive(raw, config).explanation.techniques,
  diagram: draw,
  export: write,
};

export function answerAbout<K extends Kind>(kind: K, question: Questions[K]): Outcome<K> {
  const raw = explainText(question.text, question.config);
  if ('problem' in raw) return raw;
  try {
    return { answer: ANSWERS[kind](raw, question) };
  } catch (error) {
    if (error instanceof ExportError) return { problem: error.message };
    throw error;
  }
}
