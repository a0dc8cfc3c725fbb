// What searches leave and send, with random damage: configurations, checkpoints, logs, models, and what comes through Redis. Each is read
// or refused in one line; whatever is read is of the search.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/experiment/config.js';
import { ConfigError } from '../../src/experiment/config-error.js';
import { printConfig, readConfig } from '../../src/experiment/config-text.js';
import { findPreset, presetNames } from '../../src/experiment/presets.js';
import { Run } from '../../src/experiment/run.js';
import { search } from '../../src/experiment/search.js';
import { decodeState, encodeState, FIRST_STATE } from '../../src/islands/island-state.js';
import { decodeMigrant, encodeUpload, isOfSearch } from '../../src/islands/migrant-bytes.js';
import { parseDescription, parseState } from '../../src/islands/redis-replies.js';
import { packPrograms } from '../../src/program/flat/packed-programs.js';
import { programProblem } from '../../src/program/program.js';
import { CheckpointError, decodeCheckpoint, encodeCheckpoint } from '../../src/runs/checkpoint-file.js';
import { readEvents } from '../../src/runs/read-events.js';
import { RandomStream } from '../../src/util/random.js';
import { campaignSize } from '../support/amount.js';
import { SEED } from '../support/arbitraries.js';
import { damageBytes, damageJson, damageText } from '../support/damage.js';
import { temporaryFolder } from '../support/folders.js';

const folder = temporaryFolder();
/** Of each kind. */
const CASES = campaignSize(500);
const VERSION = 3;

const SMALL = parseConfig({
  ...findPreset('linear'),
  search: { ...findPreset('linear').search, population: 20, tournament: 5 },
  islands: { ...findPreset('linear').islands, count: 1 },
  stop: { algorithms: 4000 },
});

function eachCase(name: string, kind: number, work: (random: RandomStream) => boolean): void {
  it(`${name}, ${CASES.toLocaleString('en-US')} times`, ({ task }) => {
    let refused = 0;
    for (let k = 0; k < CASES; k++) {
      try {
        if (!work(new RandomStream(SEED, kind, k))) refused++;
      } catch (error) {
        throw new Error(`case ${k}: ${error}`, { cause: error });
      }
    }
    task.meta.cases = CASES;
    expect(refused).toBeGreaterThan(CASES / 20);
  });
}

const YAML = [
  '&a',
  '*a',
  '!!js/function',
  '<<: *a',
  '{',
  '[',
  '? ',
  ': ',
  '- ',
  '|',
  '>',
  '"',
  "'",
  '\t',
  '%YAML 1.1',
  '---',
];

describe('a configuration with damage', () => {
  const texts = ['linear', 'network', 'main', 'digits'].map((name) => printConfig(findPreset(name)));
  const read = (text: string): boolean => {
    try {
      readConfig(text, 'x.yaml', {
        readFile: () => {
          throw new Error('no files here');
        },
      });
      return true;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw new Error(`${error} on ${JSON.stringify(text)}`, { cause: error });
      for (const line of error.message.split('\n')) expect(line.length).toBeLessThan(1000);
      return false;
    }
  };
  eachCase('as text is read or refused', 1, (random) => {
    const [one, other] = [0, 1].map(() => texts[random.integer(texts.length)]!);
    return read(damageText(one!, other!, YAML, random));
  });
  eachCase('as JSON is read or refused', 2, (random) => {
    const names = presetNames();
    const name = names[random.integer(names.length)]!;
    const damaged = damageJson(JSON.parse(JSON.stringify(findPreset(name))), random);
    return read(JSON.stringify(damaged) ?? '');
  });
});

describe('a checkpoint with damage', async () => {
  const run = await Run.start(SMALL);
  for (let k = 0; k < 5; k++) await run.advance(400);
  const snapshot = await run.snapshot();
  run.dispose();
  const bytes = Buffer.concat(encodeCheckpoint(snapshot, VERSION));
  eachCase('is refused', 3, (random) => {
    const damaged = damageBytes(bytes, random);
    if (damaged.equals(bytes)) return true;
    try {
      decodeCheckpoint(damaged, VERSION);
    } catch (error) {
      expect(error).toBeInstanceOf(CheckpointError);
      expect((error as Error).message).not.toContain('\n');
      return false;
    }
    throw new Error('it was read');
  });
});

describe('a log of events with damage', async () => {
  const lines: string[] = [];
  for await (const event of search(SMALL)) lines.push(JSON.stringify(event));
  const text = Buffer.from(`${lines.join('\n')}\n`);
  mkdirSync(join(folder, 'log'));
  eachCase('gives the events that are whole', 4, (random) => {
    writeFileSync(join(folder, 'log/events.jsonl'), damageBytes(text, random));
    const events = [...readEvents(join(folder, 'log'))];
    for (const event of events) expect(event).toHaveProperty('type');
    return events.length === lines.length;
  });
});

describe('what comes through Redis with damage', async () => {
  const owner = { config: SMALL, island: 0 };
  const first = encodeState(FIRST_STATE, owner);
  const { state, arrays } = decodeCheckpoint(new Uint8Array(first), 1);
  const run = await Run.start(SMALL);
  for (let k = 0; k < 5; k++) await run.advance(400);
  const { line } = run.selected!;
  run.dispose();
  const [migrant] = encodeUpload({
    migrants: {
      ids: Float64Array.of(1),
      fitnesses: Float64Array.of(0.5),
      atHurdles: new Float64Array(0),
      lines: { numbers: new Float64Array(0), programs: packPrograms([]) },
      lineOf: Int32Array.of(0),
      programs: packPrograms([line.program]),
    },
    group: 0,
  });

  eachCase('programs are of the search, or refused', 5, (random) => {
    const found = decodeMigrant(damageBytes(migrant!, random), SMALL);
    if (found === undefined) return false;
    expect(isOfSearch(found.program, SMALL)).toBe(true);
    expect(programProblem(found.program, SMALL.space.memory)).toBeUndefined();
    return true;
  });
  eachCase(
    'states of islands are read or refused, by their bytes',
    6,
    (random) => decodeState(damageBytes(first, random), owner) !== undefined,
  );
  eachCase('states of islands are read or refused, by what they say', 7, (random) => {
    const sealed = Buffer.concat(encodeCheckpoint({ state: damageJson(state, random), arrays } as never, 1));
    return decodeState(sealed, owner) !== undefined;
  });
  const description = ['0123456789abcdef0123456789abcdef', '5', JSON.stringify(SMALL), '1', '1', '0.1.0'];
  eachCase('descriptions are read or refused', 8, (random) => {
    const damaged = damageJson(description, random);
    return (
      parseDescription(Array.isArray(damaged) ? damaged.map((x) => Buffer.from(String(x))) : damaged, 10) !== undefined
    );
  });
  eachCase(
    'words on islands are read or refused',
    9,
    (random) =>
      parseState(damageText('1 2 3 4 0 1000 0.5', '9 9 9 9 1 7 -', ['-', 'NaN', '1e9', ' '], random)) !== undefined,
  );
});
