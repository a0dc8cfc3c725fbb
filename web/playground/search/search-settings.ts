// What somebody wants to search for: a preset with changes. Settings are edited as text and checked at every change, so that there is
// always a last configuration that can run. Must not know searches that go on.
import { signal } from '@preact/signals';
import type { Config } from '../../../src/experiment/config.js';
import { ConfigError } from '../../../src/experiment/config-error.js';
import { printConfig, readConfig } from '../../../src/experiment/config-text.js';
import { PRESETS, type Preset } from '../../../src/experiment/presets.js';
import { needsFiles } from '../../../src/tasks/open-tasks.js';
import { parseTaskSet } from '../../../src/tasks/task-sets.js';

/** A page reads no files. */
function runsInPage({ config }: Preset): boolean {
  return Object.values(config.tasks).every(({ set }) => !needsFiles(parseTaskSet(set)));
}

export const PAGE_PRESETS: readonly Preset[] = PRESETS.filter(runsInPage);

/** Beyond this a page would only be slower. */
export const MAX_WORKERS = 8;
export const MAX_SEED = 2 ** 31 - 1;

/** One worker, unless a configuration says otherwise. */
function withWorkers(config: Config): Config {
  const count = Math.min(MAX_WORKERS, config.islands.count ?? 1);
  return { ...config, islands: { ...config.islands, count } };
}

/** A seed with which the first search succeeds within seconds, so that whoever only presses the button sees how it ends. */
const FIRST_SEED = 4;

const first = withWorkers({ ...PAGE_PRESETS[0]!.config, seed: FIRST_SEED });

/** The last configuration without mistakes. */
export const config = signal<Config>(first);
export const configText = signal(printConfig(first));
/** What is wrong with the text. */
export const configProblem = signal<string | undefined>(undefined);

export function setConfig(next: Config): void {
  config.value = withWorkers(next);
  configText.value = printConfig(config.value);
  configProblem.value = undefined;
}

/** For what comes from elsewhere. Throws ConfigError. */
export function openConfig(next: Config): void {
  checkPage(next);
  setConfig(next);
}

export function choosePreset(name: string): void {
  const preset = PAGE_PRESETS.find((each) => each.name === name);
  if (preset !== undefined) setConfig({ ...preset.config, seed: config.value.seed, islands: workersOf(preset.config) });
}

/** As many workers as there are now. */
function workersOf({ islands }: Config): Config['islands'] {
  return { ...islands, count: config.value.islands.count };
}

export function setSeed(seed: number): void {
  setConfig({ ...config.value, seed });
}

export function setWorkers(count: number): void {
  setConfig({ ...config.value, islands: { ...config.value.islands, count } });
}

/** Throws ConfigError if a page cannot run it. */
function checkPage(read: Config): void {
  for (const [role, { set }] of Object.entries(read.tasks)) {
    if (!needsFiles(parseTaskSet(set))) continue;
    const message = `${set} is read from files, and a page has none; expected linear, affine, network or digits`;
    throw new ConfigError([{ path: ['tasks', role, 'set'], message }]);
  }
  const { count } = read.islands;
  if (count === null || count <= MAX_WORKERS) return;
  throw new ConfigError([{ path: ['islands', 'count'], message: `a page runs at most ${MAX_WORKERS}` }]);
}

export function editConfig(text: string): void {
  configText.value = text;
  try {
    const read = readConfig(text, 'settings', {
      readFile: () => {
        throw new Error('a page reads no files; give the text of the program');
      },
    });
    checkPage(read);
    config.value = withWorkers(read);
    configProblem.value = undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    configProblem.value = error.message;
  }
}
