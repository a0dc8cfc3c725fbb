// A mutation at the press of a button: which kind, what changed, and what became of the fitness.
import { useState } from 'preact/hooks';
import { MUTATION_NAMES, type MutationName } from '../../../src/evolve/mutations.js';
import { Badge, Button, Card, Notice } from '../../shared/controls.js';
import { gainText, shortFitness } from '../../shared/format.js';
import { ProgramView } from '../../shared/program-view.js';
import { ORIGIN_WORDS } from '../search/origin-words.js';
import type { Mutation } from './lab.js';
import { canUndo, mutate, mutation, mutationProblem, source, undo } from './program-state.js';

export function MutationResult({ made }: { readonly made: Mutation & { readonly parent: string } }) {
  const { before, after, isChanged } = made;
  const gain = after - before;
  const tone = gain > 0 ? 'good' : gain < 0 ? 'bad' : 'neutral';
  const words = ORIGIN_WORDS[made.mutation];
  if (!isChanged) {
    return (
      <p data-testid="mutation">
        <Badge tone="neutral">{words.name}</Badge> Nothing changed: it was impossible here, or drew what there was.
      </p>
    );
  }
  return (
    <>
      <p data-testid="mutation">
        <Badge tone="live">{words.name}</Badge> {words.what}. Fitness {shortFitness(before)} →{' '}
        <b>{shortFitness(after)}</b> <Badge tone={tone}>{gain === 0 ? 'no difference' : gainText(gain)}</Badge>
      </p>
      <ProgramView label="What the mutation changed" text={made.text} against={made.parent} />
    </>
  );
}

export function MutationCard() {
  const [kind, setKind] = useState<MutationName | ''>('');
  const isWrong = 'problem' in source.value;
  return (
    <Card title="Mutate" place="mutation-card">
      <div class="row">
        <label class="field">
          <span class="unseen">Kind of mutation</span>
          <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value as MutationName | '')}>
            <option value="">any kind</option>
            {MUTATION_NAMES.map((name) => (
              <option key={name} value={name}>
                {ORIGIN_WORDS[name].name}
              </option>
            ))}
          </select>
        </label>
        <Button kind="primary" isDisabled={isWrong} onClick={() => mutate(kind === '' ? undefined : kind)}>
          Mutate
        </Button>
        <Button isDisabled={!canUndo.value} onClick={undo}>
          Undo
        </Button>
      </div>
      {mutationProblem.value !== undefined && <Notice tone="warn">{mutationProblem.value}</Notice>}
      {mutation.value === undefined ? (
        <p class="soft">One small random change, as a search makes them. Most do harm or nothing.</p>
      ) : (
        <MutationResult made={mutation.value} />
      )}
    </Card>
  );
}
