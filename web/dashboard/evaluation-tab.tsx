// How programs were judged and what came of it: cache and hurdle rates, the scores of the selected program, and its ablation.
import { useState } from 'preact/hooks';
import type { Ablation, RunDetail } from '../../src/server/api.js';
import { Button, Card, Empty } from '../shared/controls.js';
import { gainText, percentText, shortFitness, wholeNumber } from '../shared/format.js';
import { judgementParts } from './judgement-parts.js';
import { ScoreStrip } from './score-strip.js';

function Judgements({ detail }: { readonly detail: RunDetail }) {
  const parts = judgementParts(detail);
  const all = detail.counts?.algorithms ?? 0;
  if (all === 0) return <Empty>No program was judged yet.</Empty>;
  return (
    <>
      <div class="bar" aria-hidden="true">
        {parts.map(({ kind, programs }) => (
          <span key={kind} class={kind} style={{ flexGrow: programs, minWidth: programs > 0 ? '3px' : '0' }} />
        ))}
      </div>
      <table class="judgements">
        <caption class="unseen">How programs were judged</caption>
        <tbody>
          {parts.map(({ kind, name, about, programs }) => (
            <tr key={kind}>
              <th scope="row">
                <span class={`swatch ${kind}`} />
                {name}
              </th>
              <td class="figure">{percentText(programs / all)}</td>
              <td class="figure">{wholeNumber(programs)}</td>
              <td class="soft">{about}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Hurdles({ hurdles, config }: RunDetail) {
  const stages = config?.evaluation.hurdles?.stages;
  if (stages === undefined) return <Empty>This search has none.</Empty>;
  return (
    <table>
      <caption class="unseen">Hurdles</caption>
      <thead>
        <tr>
          <th scope="col">Hurdle</th>
          <th scope="col" class="figure">
            Training examples
          </th>
          <th scope="col" class="figure">
            Validation examples
          </th>
          <th scope="col" class="figure">
            Fitness to reach
          </th>
        </tr>
      </thead>
      <tbody>
        {stages.map(({ train, valid }, k) => (
          <tr key={`${train} ${valid}`}>
            <th scope="row">{k + 1}</th>
            <td class="figure">{wholeNumber(train)}</td>
            <td class="figure">{wholeNumber(valid)}</td>
            <td class="figure">{hurdles[k] == null ? 'none yet' : shortFitness(hurdles[k])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Scores({ scores, config }: RunDetail) {
  const rows = [
    { name: 'Search', about: 'the tasks that it was evolved on', part: 'search' },
    { name: 'Select', about: 'the tasks that it was chosen by', part: 'select' },
    { name: 'Final', about: 'tasks that nothing was chosen by', part: 'final' },
  ] as const;
  return (
    <>
      <table>
        <caption class="unseen">Scores of the selected program</caption>
        <tbody>
          {rows.map(({ name, about, part }) => (
            <tr key={part}>
              <th scope="row">{name}</th>
              <td class="figure">
                <b>{scores[part] === null ? '–' : shortFitness(scores[part])}</b>
              </td>
              <td class="soft">
                {config !== null && `${wholeNumber(config.tasks[part].count)} × ${config.tasks[part].set}: `}
                {about}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {scores.finalFitnesses.length > 1 && <ScoreStrip fitnesses={scores.finalFitnesses} />}
    </>
  );
}

/** Parts that are shown at first: those without which most is lost. */
const FEW_PARTS = 12;

function AblationTable({ ablation }: { readonly ablation: Ablation }) {
  const [isWhole, setWhole] = useState(false);
  const { sections } = ablation;
  return (
    <>
      <p class="soft">
        What is lost without each part
        {ablation.intact !== null && `, of a fitness of ${shortFitness(ablation.intact)} with all of them`}.
      </p>
      <table>
        <caption class="unseen">Ablation</caption>
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col" class="figure">
              Change of fitness
            </th>
            <th scope="col">95% interval</th>
          </tr>
        </thead>
        <tbody>
          {sections
            .slice(0, isWhole ? sections.length : FEW_PARTS)
            .map(({ label, technique, loss, interval, isSignificant }) => (
              <tr key={label}>
                <th scope="row">
                  {label} {technique !== null && <small>{technique}</small>}
                </th>
                <td class="figure">
                  {loss === null ? '–' : isSignificant ? <b>{gainText(-loss)}</b> : gainText(-loss)}
                </td>
                <td class="soft">
                  {interval === null ? '–' : `${gainText(-interval[1])} to ${gainText(-interval[0])}`}
                  {!isSignificant && ', not sure'}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
      {!isWhole && sections.length > FEW_PARTS && (
        <p class="under">
          <Button onClick={() => setWhole(true)}>Show all {sections.length} parts</Button>
        </p>
      )}
    </>
  );
}

export function EvaluationTab({ detail }: { readonly detail: RunDetail }) {
  return (
    <div class="columns">
      <div class="stack">
        <Card title="How programs were judged">
          <Judgements detail={detail} />
        </Card>
        <Card title="Hurdles">
          <Hurdles {...detail} />
        </Card>
      </div>
      <div class="stack">
        <Card title="Scores of the selected program">
          <Scores {...detail} />
        </Card>
        <Card title="Ablation">
          {detail.ablation === null ? (
            <Empty>
              There is none. <code>evozero ablate RUN --tasks TASKS --json &gt; RUN/ablation.json</code> makes one.
            </Empty>
          ) : (
            <AblationTable ablation={detail.ablation} />
          )}
        </Card>
      </div>
    </div>
  );
}
