// What is searched for: a preset, the seed, the number of workers, and all settings as text. Must not know how searches work.
import { useId } from 'preact/hooks';
import { ShareButton } from '../share/share-button.js';
import {
  choosePreset,
  config,
  configProblem,
  configText,
  editConfig,
  MAX_SEED,
  MAX_WORKERS,
  PAGE_PRESETS,
  setSeed,
  setWorkers,
} from './search-settings.js';

/** A whole number in a range, or nothing. */
function readWhole(text: string, least: number, most: number): number | undefined {
  const number = Number(text);
  return text !== '' && Number.isInteger(number) && number >= least && number <= most ? number : undefined;
}

interface WholeFieldProps {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

function WholeField({ label, value, least, most, onChange }: WholeFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        min={least}
        max={most}
        value={value}
        onInput={({ currentTarget }) => {
          const whole = readWhole(currentTarget.value, least, most);
          if (whole !== undefined) onChange(whole);
        }}
      />
    </label>
  );
}

export function SettingsCard() {
  const { name, about, seed, islands } = config.value;
  const isPreset = PAGE_PRESETS.some((preset) => preset.name === name);
  const problem = configProblem.value;
  const problemId = useId();
  return (
    <section class="settings" aria-label="Settings of the search">
      <div class="row">
        <label class="field preset">
          <span>Search</span>
          <select value={name} onChange={({ currentTarget }) => choosePreset(currentTarget.value)}>
            {!isPreset && <option value={name}>{name}</option>}
            {PAGE_PRESETS.map((preset) => (
              <option key={preset.name} value={preset.name}>
                {preset.name}
              </option>
            ))}
          </select>
        </label>
        <WholeField label="Seed" value={seed} least={0} most={MAX_SEED} onChange={setSeed} />
        <WholeField label="Workers" value={islands.count ?? 1} least={1} most={MAX_WORKERS} onChange={setWorkers} />
        <ShareButton shared={() => ({ kind: 'search', config: config.value })} />
      </div>
      {about !== undefined && <p class="soft">{about}</p>}
      <details>
        <summary>All settings</summary>
        <label class="unseen" for={`${problemId}-text`}>
          All settings, as YAML
        </label>
        <textarea
          id={`${problemId}-text`}
          class="config-text"
          rows={18}
          spellcheck={false}
          value={configText.value}
          aria-invalid={problem !== undefined}
          aria-describedby={problemId}
          onInput={({ currentTarget }) => editConfig(currentTarget.value)}
        />
        <p id={problemId} class={problem === undefined ? 'soft' : 'problem'} aria-live="polite">
          {problem ?? 'Changes count from the next start on. Everything is checked as you write.'}
        </p>
      </details>
    </section>
  );
}
