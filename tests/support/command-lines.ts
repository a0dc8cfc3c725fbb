// Commands in text, checked against the real definitions: do the command, its subcommand and its flags exist, does every flag have its
// value, is no argument missing? Values are not looked at, since texts say N and FILE. Must not know where the text comes from.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { ROOT } from './cli.js';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** Words of a shell's line, without its comment; quotes are removed, and a pipe or a redirection ends the command. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  for (const [word, quoted, other] of line.matchAll(/'([^']*)'|"([^"]*)"|[^\s'"]+/g)) {
    const text = quoted ?? other ?? word;
    if (quoted === undefined && other === undefined && (/^[|>&;]/.test(text) || text.startsWith('#'))) break;
    words.push(text.replace(/;$/, ''));
    if (text.endsWith(';')) break;
  }
  return words;
}

/** Lines of a block, those that end in a backslash joined with the next, without a prompt. */
export function commandLines(text: string): string[] {
  return text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/^\s*(\$ )?/, ''));
}

/** `[--svg FILE]` and `rms|accuracy`: marks of what may be left out, and choices. */
function withoutMarks(words: readonly string[]): string[] {
  return words.map((word) => word.replace(/^\[+/, '').replace(/\]+$/, '')).filter((word) => word !== '');
}

function optionOf(command: Command, flag: string) {
  return command.options.find(({ long, short }) => long === flag || short === flag);
}

/** What is wrong with the words behind `evozero`; nothing if they are a command. Of one that is `whole`, no argument may be missing. */
export function evozeroProblem(cli: Command, words: readonly string[], isWhole = true): string | undefined {
  let command = cli;
  const rest = withoutMarks(words);
  while (rest.length > 0 && command.commands.length > 0 && !rest[0]!.startsWith('-')) {
    const [name] = rest.splice(0, 1);
    // Choices, such as list|get: every one of them must be there.
    const choices = name!.split('|').map((one) => command.commands.find((each) => each.name() === one));
    const found = choices.includes(undefined) ? undefined : choices[0];
    if (found === undefined && name === 'COMMAND') return undefined;
    if (found === undefined && command !== cli && command.registeredArguments.length > 0) {
      rest.unshift(name!);
      break;
    }
    if (found === undefined) return `there is no command ${name}`;
    command = found;
  }
  let positional = 0;
  for (let k = 0; k < rest.length; k++) {
    const [flag, value] = rest[k]!.split(/=(.*)/s);
    if (!flag!.startsWith('--')) {
      positional++;
      continue;
    }
    if (flag === '--help' || flag === '--version') return undefined;
    const option = optionOf(command, flag!);
    if (option === undefined) return `${command.name()} has no flag ${flag}`;
    if (!option.required && !option.optional) continue;
    if (value === undefined && (rest[k + 1] === undefined || rest[k + 1]!.startsWith('--'))) {
      return `${flag} of ${command.name()} has no value`;
    }
    if (value === undefined) k++;
    // One flag may take several values; then the rest up to the next flag is not counted.
    if (option.variadic) while (rest[k + 1] !== undefined && !rest[k + 1]!.startsWith('--')) k++;
  }
  const most = command.registeredArguments.some(({ variadic }) => variadic)
    ? Number.POSITIVE_INFINITY
    : command.registeredArguments.length;
  if (positional > most) return `${command.name()} takes at most ${most} arguments, not ${positional}`;
  const forgotten = command.options.find(({ mandatory, long }) => mandatory && !rest.includes(long!));
  if (isWhole && forgotten !== undefined) return `${command.name()} needs ${forgotten.long}`;
  const missing = command.registeredArguments.filter(({ required }) => required)[positional];
  return isWhole && missing !== undefined ? `${command.name()} needs ${missing.name()}` : undefined;
}

function scriptProblem(
  cli: Command,
  name: string | undefined,
  words: readonly string[],
  isWhole: boolean,
): string | undefined {
  if (name === undefined || scripts[name] === undefined) return `package.json has no script ${name}`;
  const behind = words[0] === '--' ? words.slice(1) : [];
  if (name === 'evozero') return evozeroProblem(cli, behind, isWhole);
  if (name === 'start') return evozeroProblem(cli, ['run', 'linear', ...behind]);
  return undefined;
}

/** What is wrong with a line that runs something of ours; nothing for other lines. In a sentence, arguments may be missing. */
export function lineProblem(cli: Command, line: string, isWhole = true): string | undefined {
  // Variables that are set for one command come before it.
  const words = splitWords(line).filter((_, k, all) => !all.slice(0, k + 1).every((each) => /^[A-Z_]+=/.test(each)));
  const [program, first, ...more] = words;
  if (program === 'evozero') return evozeroProblem(cli, words.slice(1), isWhole);
  if (program === 'npm' && (first === 'start' || first === 'test')) return scriptProblem(cli, first, more, isWhole);
  if (program === 'npm' && first === 'run') {
    const names = more.filter((word) => word !== '--silent');
    return scriptProblem(cli, names[0], names.slice(1), isWhole);
  }
  if (program === 'node' && first !== undefined && !first.startsWith('-')) {
    if (first === 'bin/evozero.js') return evozeroProblem(cli, more, isWhole);
    // A file of the repository; what a tutorial makes has no folder.
    if (first.includes('/') && !existsSync(join(ROOT, first))) return `there is no ${first}`;
  }
  return undefined;
}
