import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countRuns, pickCases } from '../../../tests/support/amount.js';
import { arbitraryProgram, withPrediction } from '../../../tests/support/arbitraries.js';
import type { Loss } from '../../engine/engine.js';
import { RandomSearch } from '../../evolve/random-search.js';
import { SearchSpace } from '../../evolve/search-space.js';
import { PRESETS } from '../../experiment/presets.js';
import { opById, opByName } from '../../ops/ops.js';
import { BUILTIN_NAMES, builtin } from '../../program/builtin.js';
import { canonicalize } from '../../program/canonical.js';
import { simplify } from '../../program/liveness.js';
import { parseSource } from '../../program/parse.js';
import {
  countInstructions,
  FUNCTION_NAMES,
  forFunctions,
  type LabelKind,
  type Program,
} from '../../program/program.js';
import { explain } from './explain.js';
import { TECHNIQUES, type TechniqueName } from './explanation.js';

const FOLDER = 'tests/fixtures/techniques';
/** By somebody who had not seen the rules. One came later, for gradients that arrive a step late. */
const HELD_OUT = 'tests/fixtures/techniques-held-out';
const NAMES = Object.keys(TECHNIQUES) as TechniqueName[];

interface Labelled {
  readonly file: string;
  readonly program: Program;
  readonly labels: LabelKind;
  readonly loss: Loss | undefined;
  readonly has: readonly string[];
  readonly hasNot: readonly string[];
}

function readList(text: string, key: string): string[] {
  const line = new RegExp(`^# ${key}: *(.*)$`, 'm').exec(text)?.[1] ?? '';
  return line.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
}

function readLabelled(folder: string): Labelled[] {
  return readdirSync(folder).map((file) => {
    const text = readFileSync(`${folder}/${file}`, 'utf8');
    const loss = readList(text, 'loss')[0] as Loss | undefined;
    return { file, ...parseSource(text), loss, has: readList(text, 'has'), hasNot: readList(text, 'has not') };
  });
}

const LABELLED: readonly Labelled[] = readLabelled(FOLDER);

function techniquesOf(program: Program, labels: LabelKind, loss?: Loss): string[] {
  return explain(program, labels, loss)
    .techniques.map(({ name }) => name)
    .sort();
}

describe('labelled programs', () => {
  const found = new Map(LABELLED.map(({ file, program, labels, loss }) => [file, techniquesOf(program, labels, loss)]));

  it('has four with and four near misses of each technique', () => {
    for (const name of NAMES) {
      expect(LABELLED.filter(({ has }) => has.includes(name)).length, name).toBeGreaterThanOrEqual(4);
      expect(LABELLED.filter(({ hasNot }) => hasNot.includes(name)).length, `not ${name}`).toBeGreaterThanOrEqual(4);
    }
    for (const { file, has, hasNot } of LABELLED) {
      for (const name of [...has, ...hasNot]) expect(NAMES, file).toContain(name);
    }
  });

  it.each(LABELLED)('$file shows what its header says, and nothing else', ({ file, has }) => {
    expect(found.get(file)).toEqual([...has].sort());
  });

  it('says how precise and complete it is', () => {
    const lines = NAMES.map((name) => {
      const claimed = LABELLED.filter(({ file }) => found.get(file)!.includes(name));
      const right = claimed.filter(({ has }) => has.includes(name)).length;
      const all = LABELLED.filter(({ has }) => has.includes(name)).length;
      expect([right, right], name).toEqual([claimed.length, all]);
      return `${name.padEnd(20)} precision ${right}/${claimed.length}  recall ${right}/${all}`;
    });
    console.log(lines.join('\n'));
  });
});

const NETWORK = ['backprop', 'relu', 'relu-gradient', 'sgd'];
const EVOLVED = ['bilinear', 'noise', 'normalized-gradient', 'sgd', 'weight-averaging'];
const LINEAR = ['linear-model', 'sgd'];

describe('programs that the rules were not made for', () => {
  const programs = readLabelled(HELD_OUT);

  it.each(programs)('$file shows nothing that it has not', ({ program, labels, has }) => {
    expect(techniquesOf(program, labels).filter((name) => !has.includes(name))).toEqual([]);
  });

  it('show nine of ten things that they have', () => {
    const all = programs.flatMap(({ has }) => has).length;
    const found = programs.flatMap(({ program, labels, has }) =>
      techniquesOf(program, labels).filter((name) => has.includes(name)),
    );
    expect(found.length / all).toBeGreaterThan(0.9);
  });
});

/** What the paper says about its programs, as far as their code does it. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'paper/affine': LINEAR,
  'paper/evolved': EVOLVED,
  'paper/evolved-intermediate': LINEAR,
  'paper/evolved-raw': EVOLVED,
  'paper/evolved-simplified': EVOLVED,
  'paper/fast-training-raw': ['backprop', 'learning-rate-decay', 'relu', 'relu-gradient', 'sgd'],
  'paper/few-examples-raw': ['noise', 'relu', 'sgd'],
  'paper/linear': LINEAR,
  'paper/logistic': LINEAR,
  'paper/logistic-multiclass': [...LINEAR, 'logistic-gradient'].sort(),
  'paper/multi-class-raw': ['relu'],
  'paper/neural-net': NETWORK,
  'paper/neural-net-multiclass': [...NETWORK, 'logistic-gradient'].sort(),
  'paper/neural-net-no-bias': NETWORK,
  'paper/rediscovered-net': NETWORK,
};

describe('built-in programs', () => {
  it.each(BUILTIN_NAMES.filter((name) => name.startsWith('paper/')))('%s', (name) => {
    const { program, labels } = builtin(name)!;
    expect(techniquesOf(program, labels)).toEqual(EXPECTED[name]);
  });

  it('paper/logistic is logistic regression if the task is a classification', () => {
    expect(techniquesOf(builtin('paper/logistic')!.program, 'scalar', 'accuracy')).toContain('logistic-gradient');
  });

  it('gives comments, names and places of the program as it was given', () => {
    const { program, labels } = builtin('paper/evolved-raw')!;
    const { comments, names, techniques } = explain(program, labels);
    expect(comments.learn[1]).toBe('no effect');
    expect(comments.learn[0]).toBe('error');
    expect(comments.learn[5]).toBe('normalized error');
    expect(comments.predict[4]).toBe('prediction');
    expect(names.get('m0')).toBe('weights');
    expect(names.get('m2')).toBe('sum of weights');
    const noise = techniques.find(({ name }) => name === 'noise')!;
    expect(noise.places).toContainEqual({ function: 'learn', index: 11 });
    expect(noise.why).toContain('v9');
  });

  it('finds the mean of the weights as learning rate', () => {
    const { program, labels } = builtin('paper/multi-class-raw')!;
    const { comments } = explain(program, labels);
    expect(comments.learn[23]).toBe('for the learning rate');
    expect(comments.predict[15]).toBe('learning rate');
  });
});

/** The program with other addresses, where they have no fixed meaning, and with code that does nothing. */
function disguise(program: Program): Program {
  const rename = (type: string | undefined, address: number) => {
    const first = type === 's' ? 2 : type === 'v' ? 3 : 0;
    const size = type === 's' ? 10 : type === 'v' ? 20 : 10;
    return type === undefined || address < first ? address : size - 1 - (address - first);
  };
  const body = (name: 'setup' | 'predict' | 'learn') =>
    program[name].map((instruction) => {
      const { inputs, output } = opById(instruction.op);
      const { in1, in2, out } = instruction;
      return { ...instruction, in1: rename(inputs[0], in1), in2: rename(inputs[1], in2), out: rename(output, out) };
    });
  const dead = parseSource('def Setup():\n  s9 = 1.0\ndef Predict(v0):\ndef Learn(v0, s0):\n').program.setup;
  return { setup: [...dead, ...body('setup')], predict: body('predict'), learn: body('learn') };
}

describe('random programs', () => {
  const cases = fc
    .record({ program: arbitraryProgram({ maxLength: 10 }), labels: fc.constantFrom<LabelKind>('scalar', 'vector') })
    .map(({ program, labels }) => ({ program: withPrediction(program, labels), labels }));

  it('never throw, and look the same in canonical form', () => {
    fc.assert(
      fc.property(cases, ({ program, labels }) => {
        const told = explain(program, labels);
        for (const name of FUNCTION_NAMES) expect(told.comments[name].length).toBe(program[name].length);
        for (const { places } of told.techniques) expect(places.length).toBeGreaterThan(0);
        const names = told.techniques.map(({ name }) => name).sort();
        expect(techniquesOf(simplify(program, labels), labels)).toEqual(names);
        expect(techniquesOf(canonicalize(program, labels), labels)).toEqual(names);
      }),
      { numRuns: countRuns(300) },
    );
  });

  it('look the same under other names', () => {
    for (const { program, labels, loss, has, file } of LABELLED.filter((_, k) => k % 5 === 0)) {
      if (labels === 'vector') continue;
      expect(techniquesOf(disguise(program), labels, loss), file).toEqual([...has].sort());
    }
  });

  it.each(pickCases(PRESETS, 5))(
    'of the preset $name rarely show a technique, before any search',
    ({ config: { space } }) => {
      if (space.setup.frozen || space.predict.frozen || space.learn.frozen) return;
      const functions = forFunctions((name) => {
        const { ops, min, max } = space[name];
        return { ops: ops.map((op) => opByName(op).id), min, max };
      });
      const base = { setup: [], predict: [], learn: [] };
      const options = { memory: space.memory, features: 8, labels: 'scalar', functions, base } as const;
      const method = new RandomSearch({ space: new SearchSpace(options), seed: [1] });
      const programs = Array.from({ length: countRuns(300) }, () => {
        method.ask();
        return method.lastProgram();
      });
      const shown = programs.filter((program) => techniquesOf(program, 'scalar').length > 0);
      expect(shown.length / programs.length).toBeLessThan(0.1);
    },
  );

  it('rarely show a technique', () => {
    const programs = fc.sample(cases, { numRuns: countRuns(1000), seed: 7 });
    const shown = programs.filter(({ program, labels }) => techniquesOf(program, labels).length > 0);
    expect(programs.filter(({ program }) => countInstructions(program) > 0).length).toBeGreaterThan(50);
    expect(shown.length / programs.length).toBeLessThan(0.05);
  });
});
