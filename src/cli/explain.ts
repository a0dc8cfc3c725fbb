// `evozero explain`: what a program does: its live instructions with comments, the techniques that it uses, its algebra, and a
// diagram.
import { type Command, Option } from 'commander';
import { toDot } from '../analysis/diagram/dot.js';
import { type Graph, graphOf } from '../analysis/diagram/graph.js';
import { toMermaid } from '../analysis/diagram/mermaid.js';
import { toSvg } from '../analysis/diagram/svg.js';
import { explain } from '../analysis/explain/explain.js';
import { type Explanation, type Place, TECHNIQUES } from '../analysis/explain/explanation.js';
import { latex } from '../analysis/explain/latex.js';
import { judgePrediction, VERDICT_TEXTS } from '../analysis/explain/verdict.js';
import { type Loss, labelKind } from '../engine/engine.js';
import { fittingLoss } from '../experiment/config-loss.js';
import { liveness } from '../program/liveness.js';
import { functionParameters, functionTitle, printInstruction, printProgram } from '../program/print.js';
import { FUNCTION_NAMES, type MemorySizes } from '../program/program.js';
import { printable } from '../util/quote.js';
import { UserError } from './errors.js';
import { MEMORY_HELP, MEMORY_OPTION, memorySizes } from './options.js';
import { colors, commandLine, count, print, printJson } from './output.js';
import { loadProgram, lossOfRun, type NamedProgram, PROGRAM_HELP } from './program-argument.js';
import { colorProgram } from './program-colors.js';
import { writeText } from './write-text.js';

const LOSSES: readonly Loss[] = ['rms', 'accuracy', 'multiclass'];

interface ExplainOptions {
  readonly svg?: string;
  readonly mermaid?: true;
  readonly dot?: true;
  readonly latex?: true;
  readonly loss?: Loss;
  readonly memory?: MemorySizes;
  readonly json?: true;
}

/** The live instructions, each with its comment, in columns. */
function annotate({ program, labels }: NamedProgram, { comments }: Explanation): string {
  const live = liveness(program, labels);
  const texts = FUNCTION_NAMES.map((name) =>
    program[name].flatMap((instruction, k) =>
      live[name][k] ? [{ text: `  ${printInstruction(instruction)}`, comment: comments[name][k]! }] : [],
    ),
  );
  const width = Math.max(...texts.flat().map(({ text }) => text.length));
  return FUNCTION_NAMES.map((name, f) => {
    const head = `def ${functionTitle(name)}(${functionParameters(name, labels)}):`;
    const lines = texts[f]!.map(({ text, comment }) => (comment === '' ? text : `${text.padEnd(width)}  # ${comment}`));
    return [head, ...lines].join('\n');
  }).join('\n\n');
}

function printTechniques({ program }: NamedProgram, { techniques }: Explanation): void {
  if (techniques.length === 0) {
    print('No known technique was recognised.');
    return;
  }
  print(colors.bold(count(techniques.length, 'technique')));
  const show = ({ function: name, index }: Place) =>
    `${functionTitle(name)}: ${printInstruction(program[name][index]!)}`;
  for (const { name, why, places } of techniques) {
    print(`\n  ${colors.cyan(TECHNIQUES[name])}  ${why}`);
    for (const place of places) print(colors.dim(`    ${show(place)}`));
  }
}

function describe({ name }: NamedProgram, { nodes }: Graph, { techniques }: Explanation): string {
  const known = techniques.map((technique) => TECHNIQUES[technique.name]).join(', ');
  return `The flow of data through ${name}: ${count(nodes.length, 'node')}. Techniques: ${known || 'none known'}.`;
}

/** What the program is explained for: what is asked for, or what its run trains it for. */
function chooseLoss(argument: string, { name, labels }: NamedProgram, asked: Loss | undefined): Loss | undefined {
  if (asked === undefined) return fittingLoss(lossOfRun(argument), labels);
  if (labelKind(asked) === labels) return asked;
  const fitting = LOSSES.filter((loss) => labelKind(loss) === labels).join(' or ');
  throw new UserError(`--loss ${asked} does not fit ${name}, whose labels are ${labels}s: expected ${fitting}`);
}

function writeSvg(path: string, source: NamedProgram, graph: Graph, explanation: Explanation): void {
  if (path === '') throw new UserError('--svg needs the name of a file');
  writeText(path, toSvg(graph, source.name, describe(source, graph, explanation)));
}

function runExplain(argument: string, options: ExplainOptions): void {
  const source = loadProgram(argument, options.memory);
  const { program, labels, name } = source;
  const { svg, json } = options;
  const loss = chooseLoss(argument, source, options.loss);
  const explanation = explain(program, labels, loss);
  const graph = graphOf(program, labels, explanation);
  if (svg !== undefined) writeSvg(svg, source, graph, explanation);
  const pictures = {
    ...(options.mermaid && { mermaid: toMermaid(graph) }),
    ...(options.dot && { dot: toDot(graph) }),
    ...(options.latex && { latex: latex(program, labels, loss) }),
  };
  const verdict = judgePrediction(program, labels);
  if (json) {
    printJson({
      name,
      labels,
      loss: loss ?? null,
      verdict,
      program: printProgram(program, labels),
      comments: explanation.comments,
      names: Object.fromEntries(explanation.names),
      techniques: explanation.techniques.map((technique) => ({ ...technique, title: TECHNIQUES[technique.name] })),
      ...pictures,
      ...(svg !== undefined && { svg }),
    });
    return;
  }
  const texts = Object.values(pictures);
  for (const text of texts) print(text.trimEnd());
  if (svg !== undefined) print(`diagram in ${printable(svg)}`);
  if (texts.length > 0 || svg !== undefined) return;
  print(`${colors.bold(name)}\n`);
  const plain = VERDICT_TEXTS[verdict];
  if (plain !== undefined) print(plain);
  if (verdict === 'empty') return;
  if (plain !== undefined) print();
  print(`${colorProgram(annotate(source, explanation), colors)}\n`);
  printTechniques(source, explanation);
  const isDescent = explanation.techniques.some((technique) => technique.name === 'sgd');
  if (loss === undefined && labels === 'scalar' && isDescent) {
    print(colors.dim('\nFor classification, --loss accuracy: Learn then finds a probability as the prediction.'));
  }
  print(`\ndiagram: ${commandLine('explain', argument, '--svg', 'program.svg')}`);
  print(`formulas: ${commandLine('explain', argument, '--latex')}`);
}

export function addExplain(cli: Command): void {
  cli
    .command('explain')
    .description('say what a program does: comments, known techniques, formulas, a diagram')
    .argument('<PROGRAM>', PROGRAM_HELP)
    .option('--svg <FILE>', 'write a diagram of the flow of data')
    .option('--mermaid', 'print the diagram as a Mermaid flowchart')
    .option('--dot', 'print the diagram for Graphviz')
    .option('--latex', 'print the formulas as LaTeX')
    .addOption(
      new Option(
        '--loss <LOSS>',
        'what the program is trained for (default: as in the run, else a regression, or many classes)',
      ).choices(LOSSES),
    )
    .option(MEMORY_OPTION, MEMORY_HELP, memorySizes)
    .option('--json', 'print one JSON object')
    .action((argument: string, options: ExplainOptions) => runExplain(argument, options));
}
