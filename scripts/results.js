// `npm run results`: evaluates the paper's programs on projected binary tasks of real images and writes docs/results.md. Needs
// the data sets (EVOZERO_DATA or `evozero data get`).
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepare } from './setup.js';

prepare();
const { builtin, parseProgram, printProgram, summarize, wasmEngine } = await import('../dist/index.js');
const { openTasks } = await import('../dist/data/index.js');

const COUNT = 90;
const AT_ONCE = 10;
const SETTINGS = { count: COUNT, features: 16, train: 8000, valid: 1000, seed: 0 };
const DATASETS = { cifar10: 'CIFAR-10', mnist: 'MNIST', 'fashion-mnist': 'Fashion-MNIST' };
/** With what the paper gives for them on CIFAR-10. */
const PROGRAMS = [
  { name: 'paper/logistic', about: 'logistic regression, learning rate 0.01', paper: '0.702' },
  { name: 'paper/neural-net', about: 'two-layer network, learning rate 0.01', paper: '0.729' },
  { name: 'paper/evolved', about: 'the best evolved program, s4 = 0.1', paper: '-', change: [/s4 = \S+/, 's4 = 0.1'] },
];

function programOf({ name, change }) {
  const { program, labels } = builtin(name);
  if (change === undefined) return program;
  const text = printProgram(program, labels);
  const changed = text.replace(...change);
  if (changed === text) throw new Error(`${name} has nothing like ${change[0]}`);
  return parseProgram(changed);
}

async function evaluate(dataset) {
  const tasks = await openTasks({ ...SETTINGS, name: `${dataset}-binary-select` }, { note: console.error });
  const fitnesses = PROGRAMS.map(() => []);
  for (let first = 0; first < COUNT; first += AT_ONCE) {
    const some = [];
    for (let k = first; k < first + AT_ONCE; k++) some.push(await tasks.at(k));
    const evaluator = wasmEngine('f64').prepare(some);
    PROGRAMS.forEach((entry, p) => {
      fitnesses[p].push(...evaluator.evaluate(programOf(entry)).map(({ fitness }) => fitness));
    });
    evaluator.dispose();
    console.error(`${dataset}: ${first + AT_ONCE} of ${COUNT} tasks`);
  }
  return fitnesses.map(summarize);
}

const columns = Object.keys(DATASETS);
const results = [];
for (const dataset of columns) results.push(await evaluate(dataset));

const rows = PROGRAMS.map(({ name, about, paper }, p) => {
  const cells = results.map((summaries) => {
    const { mean, std } = summaries[p];
    return `${mean.toFixed(4)} ± ${(std / Math.sqrt(COUNT)).toFixed(4)}`;
  });
  return `| \`${name}\` | ${about} | ${paper} | ${cells.join(' | ')} |`;
});

const text = `# Results

Accuracy on projected binary tasks: the ${COUNT / 10} pairs of classes that are held out for selection, 10 projections of each to
${SETTINGS.features} features, ${SETTINGS.train} training and ${SETTINGS.valid} validation examples, one epoch, f64. Mean over the ${COUNT} tasks and its standard
error. Every machine gets the same numbers. Made by \`npm run results\` from the published files.

| program | what it is | paper, CIFAR-10 | ${Object.values(DATASETS).join(' | ')} |
| --- | --- | --- | ${columns.map(() => '---').join(' | ')} |
${rows.join('\n')}

The paper's numbers are those of its baselines in the same setting (supplement, "Baselines"), on other projections. One of
them again, by hand:

    evozero eval paper/logistic --tasks cifar10-binary-select --count ${COUNT} --train ${SETTINGS.train} --valid ${SETTINGS.valid}
`;
writeFileSync(fileURLToPath(new URL('../docs/results.md', import.meta.url)), text);
console.error('wrote docs/results.md');
