// docs/reference/commands.md: every command with its arguments and flags, from the definitions that the command line itself uses. Must
// not know what commands do.

const HEAD = `# Commands

Made from the definitions of the commands (\`src/cli\`) by \`npm run docs\`; do not edit.

In a clone, \`npm run evozero -- COMMAND\` or \`node bin/evozero.js COMMAND\`; where the package is installed, \`evozero COMMAND\`. Every command takes \`--help\`, and
\`--debug\`, which prints a stack trace when something fails. With \`--json\`, standard output has one JSON object and nothing else; progress goes to standard
error. Exit code 0 means that all went well, 2 that there is a mistake in the command, a file or a setting, which the one line on standard error names, and 1 that
something failed.
`;

/** Descriptions are texts, but for what looks like a flag or a name in capital letters. */
function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('_', '\\_');
}

function usage(path, command) {
  const args = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? '...' : '');
    return argument.required ? name : `[${name}]`;
  });
  const flags = command.options.some(({ long }) => long !== '--debug') ? ['[flags]'] : [];
  return ['evozero', ...path, ...args, ...flags].join(' ');
}

function argumentTable(command) {
  const rows = command.registeredArguments
    .filter(({ description }) => description !== '')
    .map(({ description, defaultValue, ...argument }) => {
      const fallback = defaultValue === undefined ? '' : ` (default: ${defaultValue})`;
      return `| \`${argument._name.replaceAll('|', '\\|')}\` | ${cell(description + fallback)} |\n`;
    });
  return rows.length === 0 ? '' : `| argument | what it is |\n| --- | --- |\n${rows.join('')}\n`;
}

/** The default, where the description does not say it. */
function fallbackOf({ defaultValue, defaultValueDescription, negate, description }) {
  if (defaultValue === undefined || negate || description.includes('(default')) return '';
  return ` (default: ${defaultValueDescription ?? (Array.isArray(defaultValue) ? defaultValue.join(', ') : defaultValue)})`;
}

function choicesOf({ argChoices, description }) {
  const isSaid = argChoices === undefined || argChoices.every((choice) => description.includes(choice));
  return isSaid ? '' : `; one of ${argChoices.join(', ')}`;
}

function flagTable(command) {
  const rows = command.options
    .filter(({ long, hidden }) => long !== '--debug' && !hidden)
    .map((option) => {
      const must = option.mandatory ? ' (must be given)' : '';
      const about = option.description + choicesOf(option) + fallbackOf(option) + must;
      return `| \`${option.flags.replaceAll('|', '\\|')}\` | ${cell(about)} |\n`;
    });
  return rows.length === 0 ? '' : `| flag | what it does |\n| --- | --- |\n${rows.join('')}\n`;
}

function section(path, command) {
  const names = [...path, command.name()];
  const about = `${command.description()[0].toUpperCase()}${command.description().slice(1)}.`;
  const subcommands = command.commands.filter((each) => each.name() !== 'help');
  const isRunnable = command.registeredArguments.length > 0 || subcommands.length === 0 || command._actionHandler;
  const own = isRunnable
    ? `\`\`\`text\n${usage(names, command)}\n\`\`\`\n\n${argumentTable(command)}${flagTable(command)}`
    : '';
  const inner = subcommands.map((each) => section(names, each)).join('');
  const level = path.length === 0 ? '##' : '###';
  return `${level} ${names.join(' ')}\n\n${cell(about)}\n\n${own}${inner}`;
}

/** The page, from the whole command line. */
export function commandsPage(cli) {
  const commands = cli.commands.filter((each) => each.name() !== 'help');
  const list = commands
    .map((each) => `| [\`${each.name()}\`](#${each.name()}) | ${cell(each.description())} |\n`)
    .join('');
  const sections = commands.map((each) => section([], each)).join('');
  return `${HEAD}\n| command | what it does |\n| --- | --- |\n${list}\n${sections.trimEnd()}\n`;
}
