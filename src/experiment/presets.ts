// The searches that come with evozero, by name: the paper's experiments and the original's demo. One file each in presets/;
// nothing else lists them. Must not know how they run.

import { quote } from '../util/quote.js';
import { type Config, type ConfigInput, parseConfig } from './config.js';
import { ConfigError, suggest } from './config-error.js';
import { affine } from './presets/affine.js';
import { affineLearn } from './presets/affine-learn.js';
import { digits } from './presets/digits.js';
import { fullSpace } from './presets/full-space.js';
import { linear } from './presets/linear.js';
import { linearLearn } from './presets/linear-learn.js';
import { linearPaper } from './presets/linear-paper.js';
import { network } from './presets/network.js';

/** What the file of a preset says. */
export type PresetInput = ConfigInput & { readonly name: string; readonly about: string };

export interface Preset {
  readonly name: string;
  readonly about: string;
  readonly config: Config;
}

/** From the quickest to the largest. */
const INPUTS: readonly PresetInput[] = [
  linear,
  linearLearn,
  affineLearn,
  linearPaper,
  affine,
  network,
  digits,
  fullSpace,
];

export const PRESETS: readonly Preset[] = INPUTS.map((input) => ({
  name: input.name,
  about: input.about,
  config: parseConfig(input),
}));

export function presetNames(): string[] {
  return PRESETS.map(({ name }) => name);
}

/** The configuration of a preset. Throws ConfigError. */
export function findPreset(name: string): Config {
  const preset = PRESETS.find((known) => known.name === name);
  if (preset !== undefined) return preset.config;
  const hint = suggest(name, presetNames()) || `; there are ${presetNames().join(', ')}`;
  throw new ConfigError([{ path: [], message: `there is no preset ${quote(name)}${hint}` }]);
}
