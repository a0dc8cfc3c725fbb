// `evozero ablate`: what a program loses without each instruction, section and technique, after its constants are tuned again
// (paper, supplement "Interpreting Algorithms", c).
import type { Command } from 'commander';
import {
  type Ablated,
  type Ablation,
  type AblationPlan,
  ablate,
  describeLoss,
  planAblation,
} from '../analysis/ablate/ablate.js';
import { drawAblation } from '../analysis/ablate/draw-ablation.js';
import { differenceText } from '../analysis/ablate/paired.js';
import { describePlaces } from '../analysis/ablate/sections.js';
import { summarize } from '../evaluate/summary.js';
import { printProgram } from '../program/print.js';
import { UserError } from './errors.js';
import { addJudgeOptions, type JudgeFlags, withJudge } from './judge-options.js';
import { checkRuns, fitnessText, showProgress } from './measured.js';
import { integer, MEMORY_HELP, MEMORY_OPTION, memorySizes } from './options.js';
import { colors, count, note, print, printJson } from './output.js';
import { loadProgram, type NamedProgram, PROGRAM_HELP } from './program-argument.js';
import { describeTasks } from './task-options.js';
import { writeText } from './write-text.js';

interface AblateFlags extends JudgeFlags {
  readonly trials: number;
  readonly maxVariants: number;
  readonly svg?: string;
  readonly memory?: Parameters<typeof loadProgram>[1];
  readonly json?: true;
}

const BAR_LENGTH = 20;

/** Of sections without which the same program is left, the smallest stands for all; techniques stand for themselves. */
function mergeSame(sections: readonly Ablated[]): { readonly section: Ablated; readonly others: number }[] {
  return sections.flatMap((section) => {
    if (section.kind === 'technique') return [{ section, others: 0 }];
    const same = sections.filter(({ kind, tuned }) => kind !== 'technique' && tuned === section.tuned);
    const smallest = same.reduce((a, b) => (b.places.length < a.places.length ? b : a));
    return smallest === section ? [{ section, others: same.length - 1 }] : [];
  });
}

function printSections(title: string, sections: readonly Ablated[], largest: number): void {
  if (sections.length === 0) return;
  print(`\n${colors.bold(title)}`);
  for (const { section, others } of mergeSame(sections)) {
    const { label, how, loss, isSignificant } = section;
    const length = largest > 0 ? Math.round((Math.max(0, loss.mean) / largest) * BAR_LENGTH) : 0;
    const drawn = '█'.repeat(length).padEnd(BAR_LENGTH);
    const text = `${differenceText({ ...loss, mean: 0 - loss.mean }).padEnd(17)} ${drawn}`;
    const verdict = describeLoss(section).padEnd(15);
    const way = how === 'removed' ? '' : ` [${how}]`;
    const more = others === 0 ? '' : ` (the same without ${count(others, 'larger section')})`;
    print(`${isSignificant ? colors.bold(text) : text} ${verdict} ${label}${colors.dim(way + more)}`);
  }
}

function printAblation({ dead, leftOut }: AblationPlan, { intact, sections, spent }: Ablation): void {
  print(`intact  ${colors.bold(fitnessText(intact.best))}`);
  if (intact.constants.length === 0) print('        has no constants to tune');
  const largest = Math.max(0, ...sections.map(({ loss }) => loss.mean));
  const [techniques, others] = [true, false].map((isTechnique) =>
    sections.filter(({ kind }) => (kind === 'technique') === isTechnique),
  );
  printSections('Without a technique', techniques!, largest);
  printSections('Without an instruction or a section', others!, largest);
  if (dead.length > 0) print(`\nNo effect: ${describePlaces(dead)} (cannot reach a prediction)`);
  if (leftOut.length > 0) print(`\nNot tried, by --max-variants: ${leftOut.map(({ label }) => label).join('; ')}`);
  if (intact.best.fitnesses.length === 1)
    print('\nOne task says nothing about significance: --count sets their number');
  print(`\n${count(Math.round(spent), 'full evaluation')}`);
}

function toJson(source: NamedProgram, plan: AblationPlan, { intact, sections, spent }: Ablation): object {
  const { labels } = source;
  return {
    program: source.name,
    labels,
    intact: { ...summarize(intact.best.fitnesses), tuned: printProgram(intact.program, labels) },
    sections: sections.map(({ kind, label, technique, places, how, tuned, loss, corrected, ...flags }) => ({
      kind,
      label,
      ...(technique !== undefined && { technique }),
      places,
      how,
      loss: loss.mean,
      interval: loss.half === undefined ? null : [loss.mean - loss.half, loss.mean + loss.half],
      pValue: loss.pValue ?? null,
      correctedPValue: corrected ?? null,
      isSignificant: flags.isSignificant,
      isEquivalent: flags.isEquivalent,
      sameAs: flags.sameAs,
      fitness: summarize(tuned.best.fitnesses),
      variant: printProgram(tuned.program, labels),
    })),
    dead: plan.dead,
    notTried: plan.leftOut.map(({ label }) => label),
    evaluations: spent,
  };
}

async function ablateProgram(name: string, flags: AblateFlags): Promise<void> {
  const source = loadProgram(name, flags.memory);
  const { trials, seed, maxVariants } = flags;
  const { plan, result } = await withJudge(flags, [source], async (judge, tasks) => {
    const planned = planAblation(source.program, source.labels, judge.loss, maxVariants);
    if (planned.sections.length === 0) {
      throw new UserError(`${source.name}: no instruction can reach a prediction, so there is nothing to knock out`);
    }
    const programs = planned.variants.length + 1;
    const cost = `${count(programs, 'program')} of up to ${count(trials, 'trial')}: at most ${count(programs * (trials + 1), 'full evaluation')}`;
    if (flags.json) note(cost);
    else print(`${describeTasks(flags, tasks, flags.epochs)}\n${cost}\n`);
    const progress = showProgress(source.name);
    const found = await ablate(planned, judge, { trials, seed }, ({ done, total }) => progress.step(done, total));
    progress.finish();
    return { plan: planned, result: found };
  });
  checkRuns(source.name, result.intact.best);
  if (flags.json) printJson(toJson(source, plan, result));
  else printAblation(plan, result);
  if (flags.svg !== undefined) {
    const bars = mergeSame(result.sections).map(({ section: { label, isSignificant, loss } }) => ({
      label,
      isSignificant,
      loss: loss.mean,
      ...(loss.half !== undefined && { half: loss.half }),
    }));
    writeText(flags.svg, drawAblation(`Loss of fitness: ${source.name}`, bars));
  }
}

export function addAblate(cli: Command): void {
  const command = cli
    .command('ablate')
    .description('knock out each instruction, section and technique of a program, tune again, and rank what is lost')
    .argument('<PROGRAM>', PROGRAM_HELP);
  addJudgeOptions(command)
    .option('--trials <N>', 'full evaluations to tune each variant, and the intact program', integer(1, 1_000_000), 30)
    .option('--max-variants <N>', 'programs to try, at most', integer(1, 10_000), 100)
    .option('--svg <FILE>', 'write a chart of the losses')
    .option(MEMORY_OPTION, MEMORY_HELP, memorySizes)
    .option('--json', 'print one JSON object')
    .action(ablateProgram);
}
