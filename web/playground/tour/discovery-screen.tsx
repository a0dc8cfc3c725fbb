// Tour: what the paper's search has found, measured on real images beside what people have found.
import { Button, Card } from '../../shared/controls.js';
import { goTo, routeTo } from '../../shared/route.js';
import { ExplainedView } from '../parts/explained-view.js';
import { builtinText } from '../program/builtin-text.js';
import { openProgram } from '../program/program-state.js';
import { useLab } from '../program/use-lab.js';
import { FitnessBar } from './fitness-bar.js';

const TASKS = 'two digits';
const PROGRAMS = [
  { name: 'logistic regression', text: builtinText('paper/logistic') },
  { name: 'a network of two layers', text: builtinText('paper/neural-net') },
  { name: 'what was discovered', text: builtinText('paper/evolved') },
];

function Measured({ name, text }: { readonly name: string; readonly text: string }) {
  const measured = useLab('measure', { text, tasks: TASKS });
  return <FitnessBar name={name} fitness={measured?.mean} text={`${(100 * (measured?.mean ?? 0)).toFixed(1)}%`} />;
}

function open(): void {
  openProgram({ text: PROGRAMS[2]!.text, name: 'paper/evolved', tasks: TASKS });
  goTo(routeTo(['program']));
}

export function DiscoveryScreen() {
  return (
    <div class="screen">
      <p>
        On images, the search of the paper began with empty programs and ended with this. Nobody had put any of it in:
        random noise on the input, multiplicative interactions, a gradient that is normalized, and weights that are
        averaged. Press a technique to see its lines; open the program, and change them.
      </p>
      <div class="columns uneven">
        <Card title="The discovered algorithm" actions={<Button onClick={open}>Open as program</Button>}>
          <ExplainedView
            label="The algorithm that the paper's search discovered"
            text={PROGRAMS[2]!.text}
            context={{ loss: 'accuracy' }}
          />
        </Card>
        <Card title="Accuracy on handwritten digits, measured just now">
          {PROGRAMS.map((program) => (
            <Measured key={program.name} {...program} />
          ))}
          <p class="soft">
            Ten tasks, each to tell two digits apart by 16 random sums of the pixels. These images are so easy that all
            three are good, and none was tuned for them. On the paper's own, pairs of classes of CIFAR-10, it was
            77.65%, 82.22% and 84.06%: what was discovered is better than both.
          </p>
        </Card>
      </div>
    </div>
  );
}
