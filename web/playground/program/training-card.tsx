// Trains the program step by step: which instruction comes next, what is in memory, label, prediction and error.
import { useEffect, useState } from 'preact/hooks';
import { printInstruction } from '../../../src/program/print.js';
import { type FunctionName, type Program, TASK_ADDRESSES } from '../../../src/program/program.js';
import { Button, Card, Figures, Notice } from '../../shared/controls.js';
import { type ExplainedProgram, explainText, placesByLine } from '../../shared/explained-program.js';
import { wholeNumber } from '../../shared/format.js';
import { ProgramView } from '../../shared/program-view.js';
import { ErrorCurve } from './error-curve.js';
import { lab } from './lab-client.js';
import { MemoryView } from './memory-view.js';
import type { StepUnit, TrainingState } from './trainer.js';

interface TrainingProps {
  readonly text: string;
  /** The name of a choice of tasks. */
  readonly tasks: string;
}

interface Training {
  readonly state: TrainingState | undefined;
  readonly problem: string | undefined;
  readonly advance: (count: number, unit: StepUnit) => void;
  readonly restart: () => void;
}

/** A training that begins anew whenever the program or its tasks change. */
export function useTraining({ text, tasks }: TrainingProps): Training {
  const [state, setState] = useState<TrainingState | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [number, setNumber] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    lab()
      .call('beginTraining', { text, tasks })
      .then(
        (begun) => {
          if (!isCurrent) return;
          setState(begun);
          setProblem(undefined);
        },
        (error: Error) => {
          if (isCurrent) setProblem(error.message);
        },
      );
    return () => {
      isCurrent = false;
    };
  }, [text, tasks, number]);
  const advance = (count: number, unit: StepUnit) => {
    void lab().call('train', { count, unit }).then(setState);
  };
  return { state, problem, advance, restart: () => setNumber(number + 1) };
}

function rolesOf({ explanation, labels }: ExplainedProgram): ReadonlyMap<string, string> {
  const roles = new Map(explanation.names);
  for (const [role, { type, address }] of Object.entries(TASK_ADDRESSES[labels])) {
    roles.set(`${type}${address}`, role);
  }
  return roles;
}

function lineOf(program: Program, next: TrainingState['next']): number {
  return placesByLine(program).findIndex((place) => place?.function === next?.function && place?.index === next?.index);
}

function shownNumber(x: number | null): string {
  return x === null ? '–' : x.toPrecision(4).replace('-', '−');
}

function nextText(program: Program, next: { readonly function: FunctionName; readonly index: number }): string {
  const instruction = program[next.function][next.index];
  return instruction === undefined ? '–' : printInstruction(instruction);
}

export function TrainingSteps({ training, text }: { readonly training: Training; readonly text: string }) {
  const { state, problem, advance, restart } = training;
  const explained = explainText(text);
  if (problem !== undefined) return <Notice tone="warn">{problem}</Notice>;
  if ('problem' in explained) return <Notice tone="warn">{explained.problem}</Notice>;
  if (state === undefined) return <p class="soft">Preparing.</p>;
  const { next, isStopped } = state;
  return (
    <div class="training">
      <div class="row">
        <Button isDisabled={isStopped} onClick={() => advance(1, 'instruction')}>
          Next instruction
        </Button>
        {[1, 10, 100].map((count) => (
          <Button key={count} isDisabled={isStopped} onClick={() => advance(count, 'example')}>
            {count === 1 ? '1 example' : `${count} examples`}
          </Button>
        ))}
        <Button kind="quiet" onClick={restart}>
          From the beginning
        </Button>
      </div>
      <Figures
        items={[
          { label: 'Examples learned', value: wholeNumber(state.examples) },
          { label: 'Label', value: shownNumber(state.label) },
          { label: 'Prediction', value: shownNumber(state.prediction) },
          { label: 'Error', value: shownNumber(state.error) },
          { label: 'Next', value: next === null ? '–' : <code>{nextText(explained.program, next)}</code> },
        ]}
      />
      {isStopped && (
        <Notice tone="bad">
          The error became too large, or no number: here an evaluation ends, with a fitness of 0.
        </Notice>
      )}
      <div class="training-grid">
        <ProgramView
          label="The instruction that comes next"
          text={explained.text}
          marked={next === null ? undefined : new Set([lineOf(explained.program, next)])}
        />
        <div>
          <MemoryView memory={state.memory} roles={rolesOf(explained)} written={state.written} />
          <ErrorCurve errors={state.errors} />
        </div>
      </div>
    </div>
  );
}

export function TrainingCard(props: TrainingProps) {
  const training = useTraining(props);
  return (
    <Card title="Train it step by step" place="training-card">
      <TrainingSteps training={training} text={props.text} />
    </Card>
  );
}
