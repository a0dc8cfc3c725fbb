// Tour: how a program is judged. Its training can be followed example by example.
import { Card } from '../../shared/controls.js';
import { TrainingSteps, useTraining } from '../program/training-card.js';
import { LINEAR } from './tour-programs.js';

export function EvaluationScreen() {
  const training = useTraining({ text: LINEAR, tasks: 'linear' });
  return (
    <div class="screen">
      <p>
        Setup runs once. Then come the training examples: Predict guesses, Learn sees the right answer and changes the
        memory. At the end Predict is tried on examples that Learn has never seen: how close it comes is the fitness,
        from 0 to 1. Here the right answer is a secret weighted sum of four features; the memory finds the weights.
      </p>
      <Card title="Go through the training">
        <TrainingSteps training={training} text={LINEAR} />
      </Card>
    </div>
  );
}
