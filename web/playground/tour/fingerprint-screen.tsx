// Tour: programs that look different and are the same, and how much a search saves by noticing it.
import { useState } from 'preact/hooks';
import { Badge, Button, Card, Choice } from '../../shared/controls.js';
import { wholeNumber } from '../../shared/format.js';
import { ProgramView } from '../../shared/program-view.js';
import { JudgementBar } from '../parts/judgement-bar.js';
import { lab } from '../program/lab-client.js';
import { useLab } from '../program/use-lab.js';
import type { ComparedPrograms, SearchTally } from './demos.js';
import { DISGUISES } from './tour-programs.js';

const VARIANTS = [
  { value: 'renamed', title: 'other names' },
  { value: 'padded', title: 'useless lines' },
  { value: 'detour', title: 'a detour' },
  { value: 'other', title: 'another constant' },
] as const;
type Variant = (typeof VARIANTS)[number]['value'];

const ALGORITHMS = 50_000;
const SHOWN = 3;

/** The lines of a program that the first does not have. */
function otherLines(text: string): Set<number> {
  const known = new Set(DISGUISES.reference.split('\n'));
  return new Set(text.split('\n').flatMap((line, k) => (known.has(line) ? [] : [k])));
}

function VerdictOn({ compared }: { readonly compared: ComparedPrograms }) {
  const { isSameForm, isSameFingerprint, predictions } = compared;
  return (
    <div data-testid="verdict">
      <p>
        <Badge tone={isSameForm ? 'good' : 'neutral'}>{isSameForm ? 'same form' : 'another form'}</Badge>{' '}
        <Badge tone={isSameFingerprint ? 'good' : 'bad'}>
          {isSameFingerprint ? 'same fingerprint' : 'another fingerprint'}
        </Badge>{' '}
        {isSameForm
          ? 'Without useless lines and with new names they are letter by letter the same: it need not be run at all.'
          : isSameFingerprint
            ? 'They compute in different ways, but their first twenty predictions are equal to the last bit.'
            : 'Their predictions differ, so that it must be evaluated.'}
      </p>
      <table class="predictions">
        <caption class="soft">Predictions in the second to fourth step of training</caption>
        <tbody>
          {predictions.map((some, k) => (
            <tr key={k === 0 ? 'first' : 'second'}>
              <th scope="row">{k === 0 ? 'first' : 'second'}</th>
              {some.slice(1, 1 + SHOWN).map((prediction, step) => (
                <td key={step} class="figure">
                  {prediction.toPrecision(6)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SavingsCard() {
  const [tally, setTally] = useState<SearchTally | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const search = async () => {
    setBusy(true);
    try {
      setTally(await lab().call('tallyFingerprints', { algorithms: ALGORITHMS, seed: 1 }, setTally));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card title="What a search saves">
      <p>
        Many mutants are copies, or do what another program did. A search remembers forms, fingerprints and fitnesses.
      </p>
      <div class="row">
        <Button kind="primary" isDisabled={isBusy} onClick={search}>
          Search through {wholeNumber(ALGORITHMS)} programs
        </Button>
        {tally !== undefined && <span class="soft">{wholeNumber(tally.algorithms)}</span>}
      </div>
      {tally !== undefined && <JudgementBar counts={tally.counts} />}
    </Card>
  );
}

export function FingerprintScreen() {
  const [variant, setVariant] = useState<Variant>('renamed');
  const compared = useLab('compare', { texts: [DISGUISES.reference, DISGUISES[variant]] });
  return (
    <div class="screen">
      <p>
        Running a program is the expensive part. So first a look: is it one that we know, in disguise? If its shape does
        not tell, ten steps of training do: what it predicts there is its fingerprint.
      </p>
      <Card
        title="Two programs"
        actions={<Choice label="The second has" options={VARIANTS} value={variant} onChange={setVariant} />}
      >
        <div class="columns">
          <ProgramView label="First program" text={DISGUISES.reference} />
          <ProgramView label="Second program" text={DISGUISES[variant]} marked={otherLines(DISGUISES[variant])} />
        </div>
        {compared !== undefined && <VerdictOn compared={compared} />}
      </Card>
      <SavingsCard />
    </div>
  );
}
