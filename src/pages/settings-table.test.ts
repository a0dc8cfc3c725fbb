import { expect, test } from 'vitest';
import type { Config } from '../experiment/config.js';
import { findPreset } from '../experiment/presets.js';
import { markupText } from './markup.js';
import { renderSettings, reproducingCommand } from './settings-table.js';

const LINEAR = findPreset('linear');

function render(config: Config): string {
  return markupText(renderSettings(config)).replace(/<[^>]*>/g, ' ');
}

test('a preset is run again by its name and seed', () => {
  expect(reproducingCommand({ ...LINEAR, seed: 4 })).toBe('evozero run linear --seed 4');
});

test('limits have flags', () => {
  const stop = { ...LINEAR.stop, algorithms: 20_000, minutes: 0.5 };
  expect(reproducingCommand({ ...LINEAR, stop })).toBe(
    'evozero run linear --seed 0 --minutes 0.5 --max-algorithms 20000',
  );
});

test('the number of islands, which cores decide, has a flag', () => {
  const islands = { ...LINEAR.islands, count: 2 };
  expect(reproducingCommand({ ...LINEAR, islands })).toBe('evozero run linear --seed 0 --islands 2');
  expect(reproducingCommand({ ...LINEAR, islands: { ...islands, async: true } })).toBe('evozero run config.json');
});

test('a configuration as files hold it is the same', () => {
  const digits = findPreset('digits');
  expect(reproducingCommand(JSON.parse(JSON.stringify(digits)) as Config)).toBe('evozero run digits --seed 0');
});

test('anything else needs config.json', () => {
  const command = 'evozero run config.json';
  expect(reproducingCommand({ ...LINEAR, name: 'mine' })).toBe(command);
  expect(reproducingCommand({ ...LINEAR, precision: 'f32' })).toBe(command);
  expect(reproducingCommand({ ...LINEAR, search: { ...LINEAR.search, population: 7 } })).toBe(command);
  expect(reproducingCommand({ ...LINEAR, stop: { ...LINEAR.stop, experiments: 7 } })).toBe(command);
  const digits = findPreset('digits');
  expect(digits.stop.minutes).not.toBeNull();
  expect(reproducingCommand({ ...digits, stop: { ...digits.stop, minutes: null } })).toBe(command);
});

test('the settings that matter are there', () => {
  const shown = render(LINEAR);
  for (const text of [
    'population 1,000, tournament 10',
    'with probability 0.9; weights randomize-function 1, alter-argument 1, randomize-instruction 1; constants as in the released program',
    '4 scalars, 3 vectors, 1 matrix',
    '10 instructions, 6 ops:',
    'dot',
    '10 linear-search, 4 features, 100 + 100 examples',
    'select fitness 0.9999, or 100 experiments',
    '400,000 algorithms',
    'every new best',
  ]) {
    expect(shown).toContain(text);
  }
  const digits = render(findPreset('digits'));
  expect(digits).toContain('percentile 75, after 56 + 28, then 112 + 56 examples; 1 in 256 audited');
  expect(digits).toContain('0 to 23 instructions, 9 ops');
});

test('frozen functions and programs to begin with', () => {
  const shown = render(findPreset('linear-learn'));
  expect(shown).toContain('frozen, not searched');
  expect(shown).toContain('Frozen functions of');
  const text = 'def Setup():\n  s1 = "<b>"\n';
  const config: Config = { ...LINEAR, search: { ...LINEAR.search, initial: ['empty', text] } };
  expect(markupText(renderSettings(config))).toContain('<pre>def Setup():\n  s1 = &quot;&lt;b&gt;&quot;\n</pre>');
});

test('our own method has its name, and mutations only where it takes those of the configuration', () => {
  const config = findPreset('network-evozero');
  expect(render(config)).toContain('evozero, without feedback, population 400, tournament 3');
  expect(render(config)).not.toContain('Mutations');
  const shown = render({ ...config, search: { ...config.search, without: ['connection'] } });
  expect(shown).toContain('evozero, without connection, population 400');
  expect(shown).toMatch(/Mutations *weights \S/);
  expect(shown).not.toContain('regularized');
});
