// How good the program is on the tasks that were chosen, as it is edited.
import type { Loss } from '../../../src/engine/engine.js';
import { Card, Notice } from '../../shared/controls.js';
import { count, percentText, shortFitness } from '../../shared/format.js';
import type { Measured } from './lab.js';
import { isMeasuring, measured, measureProblem, source, tasks } from './program-state.js';
import { findChoice, TASK_CHOICES } from './task-choices.js';

/** Classification has an accuracy; regression a fitness between 0 and 1. */
export function scoreText(loss: Loss, fitness: number): string {
  return loss === 'rms' ? shortFitness(fitness) : percentText(fitness);
}

function TaskBars({ fitnesses, loss }: Measured) {
  return (
    <ul class="task-bars" aria-label="Each task">
      {fitnesses.map((fitness, k) => (
        <li key={k} title={`task ${k + 1}: ${scoreText(loss, fitness)}`}>
          <span class="unseen">{`task ${k + 1}: ${scoreText(loss, fitness)}`}</span>
          <span class="task-fill" style={{ height: `${Math.max(2, 100 * fitness)}%` }} />
        </li>
      ))}
    </ul>
  );
}

export function FitnessCard() {
  const found = measured.value;
  const choice = findChoice(tasks.value);
  const isWrong = 'problem' in source.value;
  return (
    <Card title="On these tasks" place="fitness-card">
      <label class="field">
        <span class="unseen">Tasks</span>
        <select
          value={tasks.value}
          onChange={({ currentTarget }) => {
            tasks.value = currentTarget.value;
          }}
        >
          {TASK_CHOICES.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <p class="soft">To predict: {choice.about}.</p>
      {measureProblem.value !== undefined && !isWrong ? (
        <Notice tone="warn">{measureProblem.value}</Notice>
      ) : (
        found !== undefined && (
          <div class={`score ${isWrong || isMeasuring.value ? 'stale' : ''}`} aria-live="polite" data-testid="score">
            <p>
              <b>{scoreText(found.loss, found.mean)}</b>{' '}
              <span class="soft">
                {found.loss === 'rms' ? 'mean fitness' : 'mean accuracy'} over {count(found.fitnesses.length, 'task')}
              </span>
            </p>
            <TaskBars {...found} />
          </div>
        )
      )}
    </Card>
  );
}
