// Start, pause, single steps, speed and stop of a search. Must not know what is searched for.
import { Badge, Button, Choice } from '../../shared/controls.js';
import { wholeNumber } from '../../shared/format.js';
import type { LastJudgement, SessionStatus } from './search-session.js';
import { config, configProblem } from './search-settings.js';
import * as state from './search-state.js';

const SPEEDS = [
  { value: 'slow', title: '3 per second', perSecond: 3 },
  { value: 'medium', title: '200 per second', perSecond: 200 },
  { value: 'full', title: 'Full speed', perSecond: null },
] as const;

const LAST_WORDS: Readonly<Record<LastJudgement, string>> = {
  'over-budget': 'would cost too much, so that it is not run',
  'known-form': 'has the form of one that is known: no need to run it',
  'known-fingerprint': 'predicts what a known one predicts: its fitness is known',
  cut: 'failed a hurdle: the rest of its evaluation is saved',
  evaluated: 'was evaluated in full, and is no better than the best',
  'new-best': 'is better than all before',
};

type Phase = 'idle' | 'running' | 'paused' | 'ending' | 'over';

function phaseOf(status: SessionStatus | undefined): Phase {
  if (state.failure.value !== undefined || state.result.value !== undefined) return 'over';
  if (state.searched.value === undefined) return 'idle';
  if (status === undefined) return 'running';
  if (status.phase === 'final') return 'ending';
  return status.isPaused ? 'paused' : 'running';
}

const BADGES = {
  idle: { tone: 'neutral', text: 'ready' },
  running: { tone: 'live', text: 'searching' },
  paused: { tone: 'warn', text: 'paused' },
  ending: { tone: 'live', text: 'evaluating on unseen tasks' },
  over: { tone: 'neutral', text: 'over' },
} as const;

function Steps() {
  return (
    <>
      <Button isDisabled={configProblem.value !== undefined} onClick={() => state.step(config.value, 'algorithm')}>
        One algorithm
      </Button>
      <Button isDisabled={configProblem.value !== undefined} onClick={() => state.step(config.value, 'best')}>
        Until better
      </Button>
    </>
  );
}

export function SearchControls() {
  const status = state.status.value;
  const phase = phaseOf(status);
  const badge = BADGES[phase];
  const islands = (state.searched.value ?? config.value).islands.count ?? 1;
  const chosen = SPEEDS.find(({ perSecond }) => perSecond === state.perSecond.value) ?? SPEEDS[2];
  const isWrong = configProblem.value !== undefined;
  return (
    <section class="controls" aria-label="Controls of the search">
      <div class="row">
        {(phase === 'idle' || phase === 'over') && (
          <Button kind="primary" isDisabled={isWrong} onClick={() => state.startSearch(config.value)}>
            {phase === 'idle' ? 'Start' : 'Start again'}
          </Button>
        )}
        {phase === 'running' && (
          <Button kind="primary" onClick={state.pause}>
            Pause
          </Button>
        )}
        {phase === 'paused' && (
          <Button kind="primary" onClick={state.resume}>
            Go on
          </Button>
        )}
        {(phase === 'idle' || phase === 'paused') && <Steps />}
        {(phase === 'running' || phase === 'paused') && <Button onClick={state.stop}>Stop and evaluate</Button>}
        {phase !== 'idle' && (
          <Button kind="quiet" onClick={state.clearSearch}>
            Clear
          </Button>
        )}
        <Badge tone={badge.tone}>{badge.text}</Badge>
        <span class="grow" />
        {islands === 1 ? (
          <Choice
            label="Speed"
            options={SPEEDS}
            value={chosen.value}
            onChange={(value) => state.setSpeed(SPEEDS.find((speed) => speed.value === value)!.perSecond)}
          />
        ) : (
          <span class="soft">{islands} islands, at full speed</span>
        )}
      </div>
      {status?.last != null && (
        <p class="last" aria-live="polite" data-testid="last">
          Algorithm {wholeNumber(status.counts.algorithms)} {LAST_WORDS[status.last]}.
        </p>
      )}
    </section>
  );
}
