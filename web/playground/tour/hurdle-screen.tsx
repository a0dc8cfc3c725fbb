// Tour: hurdles, with searches on real images that can be compared.
import { useState } from 'preact/hooks';
import { Button, Card } from '../../shared/controls.js';
import { count, percentText, wholeNumber } from '../../shared/format.js';
import { JudgementBar } from '../parts/judgement-bar.js';
import { lab } from '../program/lab-client.js';
import type { SearchTally } from './demos.js';

const ALGORITHMS = 10_000;

interface Finished {
  readonly percentile: number | null;
  readonly tally: SearchTally;
}

function FinishedTable({ finished }: { readonly finished: readonly Finished[] }) {
  const most = Math.max(...finished.map(({ tally }) => tally.counts.work));
  return (
    <table data-testid="hurdle-runs">
      <caption class="unseen">Searches with other hurdles</caption>
      <thead>
        <tr>
          <th scope="col">Hurdle</th>
          <th scope="col" class="figure">
            evaluated in full
          </th>
          <th scope="col" class="figure">
            work
          </th>
          <th scope="col" class="figure">
            best accuracy
          </th>
        </tr>
      </thead>
      <tbody>
        {finished.map(({ percentile, tally }, k) => (
          <tr key={k}>
            <th scope="row">{percentile === null ? 'none' : `better than ${percentile} %`}</th>
            <td class="figure">{wholeNumber(tally.counts.evaluated)}</td>
            <td class="figure">{percentText(tally.counts.work / most)}</td>
            <td class="figure">{percentText(tally.best)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function HurdleScreen() {
  const [percentile, setPercentile] = useState(75);
  const [running, setRunning] = useState<SearchTally | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [finished, setFinished] = useState<readonly Finished[]>([]);
  const search = async (wanted: number | null) => {
    setBusy(true);
    const request = { algorithms: ALGORITHMS, percentile: wanted, seed: 1 };
    const tally = await lab().call('tallyHurdles', request, setRunning);
    setRunning(tally);
    setFinished((before) => [...before, { percentile: wanted, tally }]);
    setBusy(false);
  };
  const hurdles = running?.hurdles.filter((hurdle) => hurdle !== null) ?? [];
  return (
    <div class="screen">
      <p>
        A program is first tried on a few examples. Only if it does better there than most of the population, it may go
        on to all of them. Here the tasks are real images: which of two handwritten digits is it?
      </p>
      <Card title="How high should the hurdle be?">
        <label class="slider">
          <span>
            To go on, be better than <b>{percentile} %</b> of the population
          </span>
          <input
            type="range"
            min={5}
            max={95}
            step={5}
            value={percentile}
            onInput={({ currentTarget }) => setPercentile(Number(currentTarget.value))}
          />
        </label>
        <div class="row">
          <Button kind="primary" isDisabled={isBusy} onClick={() => void search(percentile)}>
            Search with this hurdle
          </Button>
          <Button isDisabled={isBusy} onClick={() => void search(null)}>
            Search without
          </Button>
        </div>
        {running !== undefined && (
          <>
            <p class="soft" aria-live="polite">
              {count(running.algorithms, 'program')}, best accuracy {percentText(running.best)}
              {hurdles.length > 0 && `, hurdles now at ${hurdles.map((hurdle) => percentText(hurdle)).join(' and ')}`}.
            </p>
            <JudgementBar counts={running.counts} />
          </>
        )}
        {finished.length > 0 && <FinishedTable finished={finished} />}
      </Card>
    </div>
  );
}
