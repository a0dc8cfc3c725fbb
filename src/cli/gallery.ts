// `evozero gallery`: interesting programs that our own runs discovered, each with where it comes from, what it scores and what it does.
import type { Command } from 'commander';
import { explain } from '../analysis/explain/explain.js';
import { TECHNIQUES } from '../analysis/explain/explanation.js';
import { lossOfTaskSet } from '../experiment/config-loss.js';
import { type GalleryProgram, readGallery } from '../program/builtin.js';
import { colors, commandLine, print, printJson } from './output.js';

/** For the tasks that it is measured on: predictions of classes become probabilities in training, which changes what a gradient is. */
function techniquesOf({ program, labels, measured }: GalleryProgram): string[] {
  const [, tasks] = / --tasks (\S+)/.exec(measured)!;
  return explain(program, labels, lossOfTaskSet(tasks!)).techniques.map(({ name }) => TECHNIQUES[name]);
}

function showGallery({ json }: { readonly json?: true }): void {
  const programs = readGallery();
  if (json) {
    const entries = programs.map((one) => {
      const { name, about, origin, score, measured, text } = one;
      return { name, about, origin, score, measured: `evozero ${measured}`, techniques: techniquesOf(one), text };
    });
    printJson({ programs: entries });
    return;
  }
  print('Discovered by evozero itself:\n');
  for (const one of programs) {
    print(`${colors.bold(one.name)}  ${colors.green(one.score.toFixed(4))}`);
    print(`  ${one.about}`);
    print(`  ${colors.dim('techniques')}  ${techniquesOf(one).join(', ') || 'none that explain knows'}`);
    print(`  ${colors.dim('found by')}    ${one.origin}`);
    print(`  ${colors.dim('measured')}    evozero ${one.measured}\n`);
  }
  print(`${commandLine('explain', programs[0]?.name ?? 'NAME')} shows what one does, line by line.`);
}

export function addGallery(cli: Command): void {
  cli
    .command('gallery')
    .description('list programs that evozero discovered, with origin, score and what they do')
    .option('--json', 'print one JSON object')
    .action(showGallery);
}
