// The searches that come with evozero, by name: the paper's experiments and the original's demo. One file each in presets/;
// nothing else lists them. Must not know how they run.

import { quote } from '../util/quote.js';
import { type Config, type ConfigInput, parseConfig } from './config.js';
import { ConfigError, suggest } from './config-error.js';
import { ablation } from './presets/ablation.js';
import { fastTraining, fewExamples, fewExamplesControl, multiClass, multiClassControl } from './presets/adaptations.js';
import { affine } from './presets/affine.js';
import { affineLearn } from './presets/affine-learn.js';
import { backprop } from './presets/backprop.js';
import { baselineBasic, baselineFull } from './presets/baselines.js';
import { digits } from './presets/digits.js';
import { fullSpace } from './presets/full-space.js';
import { inventBackprop } from './presets/invent-backprop.js';
import { linear } from './presets/linear.js';
import { linearEvozero } from './presets/linear-evozero.js';
import { linearLearn } from './presets/linear-learn.js';
import { linearPaper } from './presets/linear-paper.js';
import { main } from './presets/main.js';
import { mainEvozero } from './presets/main-evozero.js';
import { network } from './presets/network.js';
import { networkEvozero } from './presets/network-evozero.js';
import { networkLearn } from './presets/network-learn.js';

/** From the quickest to the largest. */
const INPUTS = {
  linear,
  'linear-evozero': linearEvozero,
  'linear-learn': linearLearn,
  'affine-learn': affineLearn,
  'linear-paper': linearPaper,
  affine,
  'network-learn': networkLearn,
  network,
  'network-evozero': networkEvozero,
  'invent-backprop': inventBackprop,
  digits,
  'full-space': fullSpace,
  backprop,
  main,
  'main-evozero': mainEvozero,
  'few-examples': fewExamples,
  'few-examples-control': fewExamplesControl,
  'fast-training': fastTraining,
  'multi-class': multiClass,
  'multi-class-control': multiClassControl,
  'baseline-basic': baselineBasic,
  'baseline-full': baselineFull,
  ...ablation,
} satisfies Record<string, ConfigInput & { readonly about: string }>;

/** The name of a preset. */
export type PresetName = keyof typeof INPUTS;

/** A search that comes with evozero. */
export interface Preset {
  readonly name: PresetName;
  readonly about: string;
  readonly config: Config;
}

/** The searches that come with evozero, from the quickest to the largest. */
export const PRESETS: readonly Preset[] = Object.entries(INPUTS).map(([name, input]) => ({
  name: name as PresetName,
  about: input.about,
  config: parseConfig({ ...input, name }),
}));

/** The configurations by name. */
export const presets = Object.fromEntries(PRESETS.map(({ name, config }) => [name, config])) as Readonly<
  Record<PresetName, Config>
>;

export function presetNames(): PresetName[] {
  return PRESETS.map(({ name }) => name);
}

/** The configuration of a preset. Throws ConfigError. */
export function findPreset(name: string): Config {
  const preset = PRESETS.find((known) => known.name === name);
  if (preset !== undefined) return preset.config;
  const hint = suggest(name, presetNames()) || `; there are ${presetNames().join(', ')}`;
  throw new ConfigError([{ path: [], message: `there is no preset ${quote(name)}${hint}` }]);
}
