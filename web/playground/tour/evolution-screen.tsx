// Tour: a population that evolves, small enough to be seen whole.
import { useEffect, useState } from 'preact/hooks';
import { simplifyText } from '../../../src/program/simplify-text.js';
import { Button, Card, Figures } from '../../shared/controls.js';
import { explainText } from '../../shared/explained-program.js';
import { shortFitness, wholeNumber } from '../../shared/format.js';
import { ProgramView } from '../../shared/program-view.js';
import { lab } from '../program/lab-client.js';
import type { PopulationState } from './demos.js';

const STEPS = [1, 100, 5000, 100_000];
/** A population that gets there after some 20,000 programs. Others take longer, or get stuck. */
const FIRST_SEED = 56;

function Population({ fitnesses }: { readonly fitnesses: readonly number[] }) {
  const best = Math.max(...fitnesses);
  return (
    <ol class="population" aria-label={`${fitnesses.length} programs, from the oldest to the newest`}>
      {fitnesses.map((fitness, k) => (
        <li key={k} class={fitness === best ? 'best' : ''} title={shortFitness(fitness)}>
          <span class="square" style={{ opacity: Math.max(0.04, fitness) }} />
        </li>
      ))}
    </ol>
  );
}

export function EvolutionScreen() {
  const [seed, setSeed] = useState(FIRST_SEED);
  const [state, setState] = useState<PopulationState | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const evolve = async (algorithms: number, from = seed) => {
    setBusy(true);
    try {
      setState(await lab().call('evolve', { algorithms, seed: from }));
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    void evolve(state === undefined ? 100 : 0);
  }, []);
  const restart = () => {
    setSeed(seed + 1);
    void evolve(100, seed + 1);
  };
  const best = state?.best;
  const text = best == null ? undefined : simplifyText(best.text);
  const explained = text === undefined ? undefined : explainText(text);
  return (
    <div class="screen">
      <p>
        A hundred random programs. Again and again ten are drawn, the best of the ten is copied, the copy is mutated and
        judged, and the oldest of all dies: so nobody stays because of good luck long ago. Each square is a program,
        from the oldest to the newest; the fuller its colour, the fitter it is.
      </p>
      <div class="columns">
        <Card title="The population">
          <Population fitnesses={state?.fitnesses ?? []} />
          <div class="row">
            {STEPS.map((algorithms) => (
              <Button key={algorithms} isDisabled={isBusy} onClick={() => void evolve(algorithms)}>
                {algorithms === 1 ? '1 more' : `${wholeNumber(algorithms)} more`}
              </Button>
            ))}
            <Button kind="quiet" isDisabled={isBusy} onClick={restart}>
              Another beginning
            </Button>
          </div>
          <Figures
            items={[
              { label: 'Programs so far', value: wholeNumber(state?.algorithms ?? 0) },
              { label: 'Best fitness', value: best == null ? '–' : shortFitness(best.fitness) },
            ]}
          />
        </Card>
        <Card title="The best so far, without what has no effect">
          {text !== undefined && (
            <ProgramView
              label="The best program of the population"
              text={text}
              comments={explained === undefined || 'problem' in explained ? undefined : explained.comments}
            />
          )}
        </Card>
      </div>
    </div>
  );
}
