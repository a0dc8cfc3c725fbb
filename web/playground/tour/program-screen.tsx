// Tour: what a program is. Its lines can be switched off, and the fitness shows what they were for.
import { useState } from 'preact/hooks';
import { parseSource } from '../../../src/program/parse.js';
import { printInstruction, printProgram } from '../../../src/program/print.js';
import { FUNCTION_NAMES, forFunctions } from '../../../src/program/program.js';
import { Card } from '../../shared/controls.js';
import { explainText } from '../../shared/explained-program.js';
import { shortFitness } from '../../shared/format.js';
import { Words } from '../../shared/program-view.js';
import { useLab } from '../program/use-lab.js';
import { FitnessBar } from './fitness-bar.js';
import { LINEAR } from './tour-programs.js';

const { program } = parseSource(LINEAR);
const NOTES = {
  setup: 'Setup runs once, before anything else.',
  predict: 'Predict sees the features of an example, in v0, and leaves its prediction in s1.',
  learn: 'Learn sees the right answer too, in s0, and may change what is in memory.',
} as const;

export function ProgramScreen() {
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const explained = explainText(LINEAR);
  const rest = forFunctions((name) => program[name].filter((_, k) => !off.has(`${name} ${k}`)));
  const measured = useLab('measure', { text: printProgram(rest), tasks: 'linear' });
  const toggle = (line: string) => {
    const next = new Set(off);
    if (!next.delete(line)) next.add(line);
    setOff(next);
  };
  const comment = (name: (typeof FUNCTION_NAMES)[number], k: number) =>
    'problem' in explained ? '' : explained.explanation.comments[name][k]!;
  return (
    <div class="screen">
      <p>
        Every program has a small memory: scalars <b class="s">s0</b>, <b class="s">s1</b>, …, vectors{' '}
        <b class="v">v0</b>, … and matrices <b class="m">m0</b>, … Every line computes one thing with them. There is no
        line that means “learn”. This one is linear regression, and it took people a while to find it.
      </p>
      <Card title="Switch lines off, and see what they were for">
        <div class="switches">
          {FUNCTION_NAMES.map((name) => (
            <fieldset key={name}>
              <legend>{NOTES[name]}</legend>
              {program[name].map((instruction, k) => {
                const line = `${name} ${k}`;
                return (
                  <label key={line} class={`switch ${off.has(line) ? 'off' : ''}`}>
                    <input type="checkbox" checked={!off.has(line)} onChange={() => toggle(line)} />
                    <code class="program-text">
                      <Words line={printInstruction(instruction)} />
                    </code>
                    <span class="soft">{comment(name, k)}</span>
                  </label>
                );
              })}
            </fieldset>
          ))}
        </div>
        <FitnessBar
          name="Fitness on 10 linear tasks"
          fitness={measured?.mean}
          text={shortFitness(measured?.mean ?? 0)}
        />
      </Card>
    </div>
  );
}
