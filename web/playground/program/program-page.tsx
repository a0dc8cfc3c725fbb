// A program to play with: edit it, see how good it is, what it does, mutate it, and train it step by step.
import { useEffect, useState } from 'preact/hooks';
import { BUILTIN_NAMES } from '../../../src/program/builtin.js';
import { Button, Card } from '../../shared/controls.js';
import { ExplainedView } from '../parts/explained-view.js';
import { ShareButton } from '../share/share-button.js';
import { FitnessCard } from './fitness-card.js';
import { MutationCard } from './mutation-card.js';
import { ProgramEditor } from './program-editor.js';
import {
  canUndo,
  edited,
  keepMeasuring,
  openBuiltin,
  renameProgram,
  source,
  tasks,
  typeProgram,
  undo,
} from './program-state.js';
import { TrainingCard } from './training-card.js';

const MAX_NAME = 60;

function EditorCard() {
  const { text, name } = edited.value;
  const parsed = source.value;
  return (
    <Card
      title="Program"
      place="editor-card"
      actions={
        <>
          <label class="field">
            <span class="unseen">Open a known program</span>
            <select
              value=""
              onChange={({ currentTarget }) => {
                if (currentTarget.value !== '') openBuiltin(currentTarget.value);
                currentTarget.value = '';
              }}
            >
              <option value="">Open…</option>
              {BUILTIN_NAMES.map((known) => (
                <option key={known} value={known}>
                  {known}
                </option>
              ))}
            </select>
          </label>
          <Button isDisabled={!canUndo.value} onClick={undo}>
            Undo
          </Button>
          <ShareButton shared={() => ({ kind: 'program', name, text, tasks: tasks.value })} />
        </>
      }
    >
      <label class="field name">
        <span class="unseen">Name of the program</span>
        <input
          type="text"
          maxLength={MAX_NAME}
          value={name}
          onInput={({ currentTarget }) => renameProgram(currentTarget.value)}
        />
      </label>
      <ProgramEditor
        label="Text of the program"
        text={text}
        onInput={typeProgram}
        mistake={'problem' in parsed ? parsed : undefined}
      />
    </Card>
  );
}

/** The last text that was right: what is typed halfway is no reason to lose sight of everything. */
function useLastRight(): string {
  const { text } = edited.value;
  const isRight = !('problem' in source.value);
  const [last, setLast] = useState(text);
  useEffect(() => {
    if (isRight) setLast(text);
  }, [text, isRight]);
  return isRight ? text : last;
}

export function ProgramPage() {
  useEffect(keepMeasuring, []);
  const right = useLastRight();
  return (
    <div class="program-page">
      <header class="lead">
        <h1>Take a program apart</h1>
        <p>
          Setup runs once, Predict sees the features, Learn sees the label too. Change a line and see at once what it
          does to the fitness.
        </p>
      </header>
      <div class="program-grid">
        <div class="side">
          <EditorCard />
          <Card title="What it does">
            <ExplainedView label="The program, explained" text={right} context={{}} />
          </Card>
        </div>
        <div class="side">
          <FitnessCard />
          <MutationCard />
        </div>
      </div>
      <TrainingCard text={right} tasks={tasks.value} />
    </div>
  );
}
