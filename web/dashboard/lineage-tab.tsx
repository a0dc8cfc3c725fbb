// The steps that led to the best program, played back: a slider through time, the program as it was, and what each step changed.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { TECHNIQUES } from '../../src/analysis/explain/explanation.js';
import type { Lineage, LineageStep } from '../../src/server/api.js';
import { Badge, Button, Card, Check, Choice, Empty, Notice } from '../shared/controls.js';
import { explainText, flowOf, type ProgramContext } from '../shared/explained-program.js';
import { FlowDiagram } from '../shared/flow-diagram.js';
import { gainText, shortFitness, wholeNumber } from '../shared/format.js';
import { ProgramView } from '../shared/program-view.js';
import type { OpenRun } from './open-run.js';
import { useLineageSteps } from './use-lineage-steps.js';

type Form = 'simplified' | 'program';

/** A whole play-back takes about so long, but no step is too quick to be seen or too slow to wait for. */
const WHOLE_MS = 25_000;
const STEP_MS = { least: 150, most: 1000 };

function stepTime(steps: number): number {
  return Math.max(STEP_MS.least, Math.min(STEP_MS.most, WHOLE_MS / steps));
}

function StepNotes({ step }: { readonly step: LineageStep }) {
  const { origin, fitness, gain, place, instructions, appeared, disappeared, parent } = step;
  return (
    <>
      <dl class="step-notes">
        <div>
          <dt>Mutation</dt>
          <dd>{parent === null ? 'none: an initial program' : origin}</dd>
        </div>
        <div>
          <dt>Algorithm</dt>
          <dd>{wholeNumber(place)}</dd>
        </div>
        <div>
          <dt>Fitness</dt>
          <dd>
            {fitness === null ? '–' : shortFitness(fitness)} {gain !== null && <small>{gainText(gain)}</small>}
          </dd>
        </div>
        <div>
          <dt>Instructions</dt>
          <dd>{instructions}</dd>
        </div>
      </dl>
      <p class="came" aria-live="polite">
        {appeared.map(({ name, title, why }) => (
          <span key={name} title={why}>
            <Badge tone="good">+ {title}</Badge>
          </span>
        ))}
        {disappeared.map((name) => (
          <Badge key={name} tone="bad">
            − {TECHNIQUES[name]}
          </Badge>
        ))}
      </p>
    </>
  );
}

/** How data flow through the program of a step. */
function StepFlow({ text, context }: { readonly text: string; readonly context: ProgramContext }) {
  const graph = useMemo(() => {
    const explained = explainText(text, context);
    return 'problem' in explained ? undefined : flowOf(explained);
  }, [text, context]);
  return graph === undefined || graph.nodes.length < 2 ? null : <FlowDiagram graph={graph} />;
}

interface PlayerProps {
  readonly total: number;
  readonly place: number;
  readonly onChange: (place: number) => void;
  /** For readers of the screen. */
  readonly placeText: string;
}

function Player({ total, place, onChange, placeText }: PlayerProps) {
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return;
    if (place >= total - 1) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => onChange(place + 1), stepTime(total));
    return () => clearTimeout(timer);
  }, [isPlaying, place, total]);
  const toggle = () => {
    if (!isPlaying && place === total - 1) onChange(0);
    setPlaying(!isPlaying);
  };
  const go = (next: number) => {
    setPlaying(false);
    onChange(Math.max(0, Math.min(total - 1, next)));
  };
  return (
    <div class="player">
      <Button kind="primary" onClick={toggle} isDisabled={total < 2}>
        {isPlaying ? 'Pause' : 'Play'}
      </Button>
      <Button label="Step back" onClick={() => go(place - 1)} isDisabled={place === 0}>
        ‹
      </Button>
      <input
        type="range"
        min="0"
        max={total - 1}
        value={place}
        aria-label="Step of the lineage"
        aria-valuetext={placeText}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
      <Button label="Step forward" onClick={() => go(place + 1)} isDisabled={place === total - 1}>
        ›
      </Button>
      <span class="count">
        {place + 1} / {total}
      </span>
    </div>
  );
}

interface LineageTabProps {
  readonly run: OpenRun;
  readonly context: ProgramContext;
  /** Told where on the chart the play-back is. */
  readonly onPlay: (at: number | undefined) => void;
}

export function LineageTab({ run, context, onPlay }: LineageTabProps) {
  const lineage = run.lineage.value;
  if (lineage === undefined) return <Empty>Loading …</Empty>;
  if (lineage.total === 0) return <Notice tone="neutral">{lineage.problem ?? 'No program was found yet.'}</Notice>;
  return <PlayBack id={run.id} lineage={lineage} context={context} onPlay={onPlay} />;
}

function PlayBack(props: {
  readonly id: string;
  readonly lineage: Lineage;
  readonly context: ProgramContext;
  readonly onPlay: LineageTabProps['onPlay'];
}) {
  const { id, lineage, context, onPlay } = props;
  const last = lineage.total - 1;
  // Who looks at the end of a run that goes on stays at its end.
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const [form, setForm] = useState<Form>('simplified');
  const [isDiff, setDiff] = useState(true);
  const place = Math.min(chosen ?? last, last);
  const find = useLineageSteps(id, lineage, place);
  const step = find(place);
  const before = place === 0 ? undefined : find(place - 1);
  const at = step?.place;
  useEffect(() => onPlay(at), [at]);
  useEffect(() => () => onPlay(undefined), []);
  const fitness = step?.fitness == null ? '' : `, fitness ${shortFitness(step.fitness)}`;
  const same = step !== undefined && before !== undefined && step[form] === before[form];
  return (
    <Card
      title={`How it came about${lineage.experiment === null ? '' : `, in experiment ${lineage.experiment}`}`}
      actions={
        <>
          <Check label="Mark changes" isChecked={isDiff} onChange={setDiff} />
          <Choice
            label="Form"
            isLabelHidden
            options={[
              { value: 'simplified', title: 'Simplified' },
              { value: 'program', title: 'Raw' },
            ]}
            value={form}
            onChange={setForm}
          />
        </>
      }
    >
      {!lineage.isWhole && (
        <p class="soft">Its first steps are not known: those ancestors were never the best of their experiment.</p>
      )}
      <Player
        total={lineage.total}
        place={place}
        onChange={(next) => setChosen(next === last ? undefined : next)}
        placeText={`step ${place + 1} of ${lineage.total}${fitness}`}
      />
      {step === undefined ? (
        <Empty>Loading …</Empty>
      ) : (
        <div class="play-back">
          <StepNotes step={step} />
          <div class="columns">
            <div>
              <ProgramView
                label={`The program at step ${place + 1}`}
                text={step[form]}
                against={isDiff && !same ? (before?.[form] ?? '') : undefined}
              />
              {same && <p class="soft">The step changed nothing that has an effect: see the raw form.</p>}
            </div>
            <StepFlow text={step.simplified} context={context} />
          </div>
        </div>
      )}
    </Card>
  );
}
