// Tour: hurdles, on programs that were tried on a few examples and on all, so that everybody can see what a hurdle would have cut.
import { useState } from 'preact/hooks';
import { Button, Card, Figures } from '../../shared/controls.js';
import { percentText, wholeNumber } from '../../shared/format.js';
import { useLab } from '../program/use-lab.js';
import { HurdlePlot } from './hurdle-plot.js';
import { EARLY, type TriedTwice, WHOLE } from './tried-twice.js';

const PROGRAMS = 300;
const GOOD = 0.9;

/** Examples, of training and validation, that all programs see if those below the hurdle see no more than the first. */
function workOf(tried: readonly TriedTwice[], hurdle: number): number {
  const passed = tried.filter(({ early }) => early >= hurdle).length;
  return tried.length * (EARLY.train + EARLY.valid) + passed * (WHOLE.train + WHOLE.valid);
}

function Outcome({ tried, hurdle }: { readonly tried: readonly TriedTwice[]; readonly hurdle: number }) {
  const cut = tried.filter(({ early }) => early < hurdle);
  const good = tried.filter(({ whole }) => whole > GOOD).length;
  const lost = cut.filter(({ whole }) => whole > GOOD).length;
  const saved = 1 - workOf(tried, hurdle) / (tried.length * (WHOLE.train + WHOLE.valid));
  return (
    <Figures
      items={[
        { label: 'Programs cut', value: wholeNumber(cut.length), note: `of ${wholeNumber(tried.length)}` },
        { label: 'Work saved', value: saved < 0 ? 'none' : percentText(saved) },
        { label: `Lost, though good (above ${GOOD})`, value: wholeNumber(lost), note: `of ${wholeNumber(good)}` },
      ]}
    />
  );
}

export function HurdleScreen() {
  const [hurdle, setHurdle] = useState(0.7);
  const [seed, setSeed] = useState(1);
  const tried = useLab('tryTwice', { count: PROGRAMS, seed }) ?? [];
  return (
    <div class="screen">
      <p>
        Most programs are hopeless, and a few examples show it. So a program is first tried on {EARLY.train} of{' '}
        {wholeNumber(WHOLE.train)} examples, and only if its fitness there is above the hurdle, on all. Each dot is a
        mutant of linear regression, tried both ways. Where would you put the hurdle, so that much work is saved and no
        good program is lost?
      </p>
      <Card
        title="How high should the hurdle be?"
        actions={
          <Button kind="quiet" onClick={() => setSeed(seed + 1)}>
            Other programs
          </Button>
        }
      >
        <div class="columns">
          <HurdlePlot tried={tried} hurdle={hurdle} />
          <div class="hurdle-side">
            <label class="slider">
              <span>
                The hurdle: a fitness of <b>{hurdle.toFixed(2)}</b>
              </span>
              <input
                type="range"
                min={0}
                max={1}
                step={0.01}
                value={hurdle}
                onInput={({ currentTarget }) => setHurdle(Number(currentTarget.value))}
              />
            </label>
            <div aria-live="polite" data-testid="hurdle-outcome">
              {tried.length > 0 && <Outcome tried={tried} hurdle={hurdle} />}
            </div>
            <p class="soft">
              The dots at the upper left learn slowly, and well in the end: a high hurdle loses them. A search cannot
              see the height of the dots. It puts its hurdle where a part of its population is, for example better than
              75%.
            </p>
          </div>
        </div>
      </Card>
    </div>
  );
}
