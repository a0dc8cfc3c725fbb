// Tour: what a mutation is, and how seldom one helps.
import { useState } from 'preact/hooks';
import { Button, Card } from '../../shared/controls.js';
import { count, percentText } from '../../shared/format.js';
import { ProgramView } from '../../shared/program-view.js';
import type { Mutation } from '../program/lab.js';
import { lab } from '../program/lab-client.js';
import { MutationResult } from '../program/mutation-card.js';
import type { MutantTally } from './demos.js';
import { SLOW_LINEAR } from './tour-programs.js';

const MUTANTS = 500;

function TallyBar({ tally }: { readonly tally: MutantTally }) {
  const parts = [
    { name: 'better', kind: 'evaluated', amount: tally.better },
    { name: 'just as good', kind: 'canonical', amount: tally.same },
    { name: 'worse', kind: 'cut', amount: tally.worse },
  ];
  const total = tally.better + tally.same + tally.worse;
  return (
    <div class="judgements" data-testid="tally">
      <div class="bar" aria-hidden="true">
        {parts.map(({ kind, amount }) => (
          <span key={kind} class={`fill ${kind}`} style={{ flexGrow: amount }} />
        ))}
      </div>
      <ul>
        {parts.map(({ name, kind, amount }) => (
          <li key={name}>
            <span class={`dot ${kind}`} aria-hidden="true" />
            {name} <b>{percentText(amount / total)}</b> <small>{count(amount, 'mutant')}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function MutationScreen() {
  const [parent, setParent] = useState(SLOW_LINEAR);
  const [made, setMade] = useState<(Mutation & { readonly parent: string }) | undefined>(undefined);
  const [tally, setTally] = useState<MutantTally | undefined>(undefined);
  const [seed, setSeed] = useState(1);
  const mutate = async () => {
    setSeed(seed + 1);
    setMade({ ...(await lab().call('mutate', { text: parent, tasks: 'linear', kind: undefined, seed })), parent });
  };
  const tryMany = async () => {
    setSeed(seed + MUTANTS);
    setTally(await lab().call('tallyMutants', { text: parent, count: MUTANTS, seed }));
  };
  return (
    <div class="screen">
      <p>
        A search changes programs without knowing what they mean: it inserts a random line, removes one, or draws one
        argument anew. This program learns, but far too slowly. Can you find a mutation that helps?
      </p>
      <div class="columns">
        <Card title="The program">
          <ProgramView label="The program that is mutated" text={parent} />
          <div class="row">
            <Button kind="primary" onClick={mutate}>
              Mutate
            </Button>
            <Button onClick={tryMany}>Try {MUTANTS} mutants</Button>
          </div>
          {tally !== undefined && <TallyBar tally={tally} />}
        </Card>
        <Card
          title="A mutant of it"
          actions={
            made?.isChanged && (
              <Button
                onClick={() => {
                  setParent(made.text);
                  setMade(undefined);
                  setTally(undefined);
                }}
              >
                Go on with this one
              </Button>
            )
          }
        >
          {made === undefined ? <p class="soft">Press the button.</p> : <MutationResult made={made} />}
        </Card>
      </div>
    </div>
  );
}
