// Starts a search: a preset, a few numbers that people change, and every other setting in sections made from the schema.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type ConfigForm, type PresetList, ROUTES, type Started, type StartRequest } from '../../src/server/api.js';
import { Button, Card, Empty, Notice } from '../shared/controls.js';
import { goTo, routeTo } from '../shared/route.js';
import { getJson, postJson, RefusedError } from './api-client.js';
import { type Field, readFields } from './config-fields.js';
import { FieldList } from './config-form.js';
import { untilAnswered } from './repeat.js';
import { serverInfo } from './run-list.js';

interface Choices {
  readonly presets: PresetList['presets'];
  readonly form: ConfigForm;
}

/** What people change most, in words that do without the section. */
const COMMON = {
  seed: 'seed',
  'stop.minutes': 'minutes at most',
  'stop.algorithms': 'algorithms at most',
  'stop.experiments': 'experiments at most',
  'stop.fitness': 'fitness that suffices',
};

function findField(fields: readonly Field[], path: string): Field | undefined {
  for (const field of fields) {
    if (field.path.join('.') === path) return field;
    const inner = field.kind === 'group' ? findField(field.fields, path) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const WAIT_MS = 400;
const MOST_WAITS = 40;

/** A search that has just been started takes a moment to make its directory. */
async function waitForRun(id: string): Promise<void> {
  for (let k = 0; k < MOST_WAITS; k++) {
    try {
      await getJson(ROUTES.run(id));
      return;
    } catch (error) {
      if (!(error instanceof RefusedError && error.status === 404)) throw error;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
  }
}

function useChoices(): { readonly choices: Choices | undefined; readonly problem: string | undefined } {
  const [choices, setChoices] = useState<Choices | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      const [{ presets }, form] = await Promise.all([
        getJson<PresetList>(ROUTES.presets, stop.signal),
        getJson<ConfigForm>(ROUTES.form, stop.signal),
      ]);
      setChoices({ presets, form });
    };
    void untilAnswered(load, stop.signal, ({ message }) => setProblem(message));
    return () => stop.abort();
  }, []);
  return { choices, problem };
}

export function StartView() {
  const { choices, problem } = useChoices();
  if (serverInfo.value !== undefined && !serverInfo.value.canControl) {
    return (
      <Notice tone="warn">
        This server does not let pages start searches. <code>evozero dashboard --allow-control</code> does.
      </Notice>
    );
  }
  if (problem !== undefined) return <Notice tone="bad">{problem}</Notice>;
  if (choices === undefined) return <Empty>Loading …</Empty>;
  return <StartForm {...choices} />;
}

function StartForm({ presets, form }: Choices) {
  const [preset, setPreset] = useState(presets[0]);
  const [config, setConfig] = useState<unknown>(preset?.config ?? {});
  const [name, setName] = useState('');
  const [workers, setWorkers] = useState('');
  const [refused, setRefused] = useState<RefusedError | Error | undefined>(undefined);
  const [isWaiting, setWaiting] = useState(false);
  const fields = useMemo(() => readFields(form.schema), [form]);
  const issues = refused instanceof RefusedError ? refused.issues : [];
  const context = { config, onChange: setConfig, issues, form };
  const common = Object.entries(COMMON).flatMap(([path, title]) => {
    const field = findField(fields, path);
    return field === undefined ? [] : [{ ...field, title }];
  });
  const sections = fields.filter(({ kind }) => kind === 'group');
  const general = fields.filter(({ kind }) => kind !== 'group');

  const choosePreset = (chosen: string) => {
    const next = presets.find((one) => one.name === chosen);
    setPreset(next);
    setConfig(next?.config ?? {});
    setRefused(undefined);
  };
  const start = async () => {
    setWaiting(true);
    setRefused(undefined);
    const request: StartRequest = {
      config,
      ...(name === '' ? {} : { name }),
      ...(workers === '' ? {} : { workers: Number(workers) }),
    };
    try {
      const { id } = await postJson<Started>(ROUTES.runs, request);
      await waitForRun(id);
      goTo(routeTo(['runs', id]));
    } catch (error) {
      setRefused(error as Error);
    }
    setWaiting(false);
  };
  return (
    <form
      class="stack start"
      // The server says what is wrong, beside each field.
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <h1>New search</h1>
      <Card title="What to search for">
        <div class="presets" role="radiogroup" aria-label="Preset">
          {presets.map((one) => (
            <label key={one.name} class={one === preset ? 'chosen' : ''}>
              <input
                type="radio"
                name="preset"
                value={one.name}
                checked={one === preset}
                onChange={() => choosePreset(one.name)}
              />
              <b>{one.name}</b>
              <span class="soft">{one.about}</span>
            </label>
          ))}
        </div>
      </Card>
      <Card title="How">
        <div class="fields">
          <div class="field">
            <label for="run-name">name of the run</label>
            <input
              id="run-name"
              type="text"
              placeholder="preset and seed"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </div>
          <div class="field">
            <label for="run-workers">threads</label>
            <input
              id="run-workers"
              type="number"
              min={1}
              step={1}
              placeholder={String(serverInfo.value?.cores ?? '')}
              value={workers}
              onInput={(event) => setWorkers(event.currentTarget.value)}
            />
          </div>
        </div>
        <FieldList fields={common} context={context} />
        <p class="soft under">An empty limit is no limit.</p>
      </Card>
      <Card title="All settings">
        <details>
          <summary>general</summary>
          <FieldList fields={general} context={context} />
        </details>
        {sections.map((section) => (
          <details key={section.title} open={issues.some(({ path }) => path[0] === section.path[0])}>
            <summary>{section.title}</summary>
            {section.kind === 'group' && <FieldList fields={section.fields} context={context} />}
          </details>
        ))}
      </Card>
      <div class="start-bar">
        {refused !== undefined && (
          <Notice tone="bad" isAlert>
            {issues.length === 0
              ? refused.message
              : issues.map(({ path, message }) => (
                  <p key={`${path.join('.')} ${message}`}>
                    <code>{path.join('.')}</code>: {message}
                  </p>
                ))}
          </Notice>
        )}
        <Button type="submit" kind="primary" isDisabled={isWaiting}>
          {isWaiting ? 'Starting …' : 'Start'}
        </Button>
      </div>
    </form>
  );
}
