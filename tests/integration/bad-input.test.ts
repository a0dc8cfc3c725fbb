import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtin } from '../../src/program/builtin.js';
import { evozero } from '../support/cli.js';
import { temporaryFolder } from '../support/folders.js';
import { expectMistake } from '../support/mistake.js';

const folder = temporaryFolder();
const good = builtin('paper/linear')!.text;
let files = 0;

function file(content: string | Uint8Array, ending = '.alg'): string {
  const path = join(folder, `p${files++}${ending}`);
  writeFileSync(path, content);
  return path;
}

/** A program whose Learn ends with this line. */
const withLine = (line: string) => `${good}  ${line}\n`;

describe('a program file', () => {
  it.each([
    ['an unknown op', withLine('s3 = sinus(s1)'), /:13:8: unknown op 'sinus'; did you mean 'sin'\?/, 3],
    ['a wrong type', withLine('s3 = norm(s1)'), /:13:13: expected a vector address or a matrix address, found s1/, 3],
    [
      'an address out of range',
      withLine('m99 = abs(m1)'),
      /matrix address m99 is out of range: this memory has 10 matrices; --memory gives it more/,
      3,
    ],
    ['a missing function', 'def Setup():\ndef Predict():\n', /missing function Learn/, 1],
    ['a function twice', `${good}def Setup():\n`, /:13:1: function Setup is defined twice/, 3],
    ['NaN as a constant', withLine('s3 = NaN'), /constants must be finite numbers/, 3],
    ['1e999 as a constant', withLine('s3 = 1e999'), /1e999 is too large/, 3],
    ['nothing in it', '', /missing function Setup, Predict, Learn/, 1],
  ])('with %s', (_, text, message, lines) => {
    for (const command of ['show', 'simplify']) expectMistake([command, file(text)], message, lines);
    expectMistake(['eval', file(text), '--tasks', 'linear', '--json'], message, lines);
  });

  it('of 10 MB', () => {
    expectMistake(['show', file(good.repeat(40_000))], /larger than 1 MiB, which no program is/);
  });

  it('of binary garbage', () => {
    const bytes = Uint8Array.from({ length: 5000 }, (_, k) => (k * 7919 + (k >> 3)) % 256);
    expectMistake(['show', file(bytes)], /not a text file/);
    expectMistake(['show', file(Uint8Array.from([0x64, 0xff, 0xfe, 0x64]))], /not a text file in UTF-8/);
  });

  it('that does not end is read only so far', () => {
    expectMistake(['show', '/dev/zero'], /larger than 1 MiB/);
  });

  it('with CRLF, tabs and a byte order mark is fine', () => {
    const odd = `\uFEFF${good.replaceAll('  ', '\t').replaceAll('\n', '\r\n')}`;
    const { status, stdout } = evozero(['simplify', file(odd)]);
    expect(status).toBe(0);
    expect(stdout).toBe(evozero(['simplify', 'paper/linear']).stdout);
  });

  it('that is a directory, missing, or must not be read', () => {
    const directory = join(folder, 'directory');
    mkdirSync(directory);
    expectMistake(['show', directory], /a directory without best\.alg; expected a program file or a run directory/);
    expectMistake(['show', join(folder, 'missing.alg')], /missing\.alg: no such file, and no built-in program/);
    expectMistake(['show', 'linear'], /did you mean paper\/linear\?/);
    expectMistake(['show', ''], /the name of the program is empty/);
    expectMistake(['show', join(folder, 'odd\nname')], /odd\uFFFDname: no such file/);
    expectMistake(['show', 'paper/liner'], /paper\/liner: no such file.*did you mean paper\/linear\?/);
    const secret = file(good);
    chmodSync(secret, 0);
    // Root may read everything; anybody else gets the message.
    if (process.getuid?.() !== 0) expectMistake(['show', secret], /permission denied/);
  });

  it('of bad JSON', () => {
    expectMistake(['show', file('{ "setup": [', '.json')], /not valid JSON: /);
    const deep = `{"setup":[{"op":${'['.repeat(100_000)}${']'.repeat(100_000)}}],"predict":[],"learn":[]}`;
    expectMistake(['show', file(deep, '.json')], /setup\[0\]\.op: unknown op an array/);
    expectMistake(
      ['show', file('{"setup":[],"predict":[],"learn":[{"op":"x"}]}', '.json')],
      /learn\[0\]\.op: unknown op "x"/,
    );
  });
});

describe('a command line', () => {
  it.each([
    [['frobnicate'], /unknown command 'frobnicate'/],
    [['shwo'], /unknown command 'shwo' \(Did you mean show\?\)/],
    [['show', '--colour'], /unknown option '--colour'/],
    [['show', 'paper/linear', '--memory', '3'], /'--memory <S\/V\/M>' argument '3' is invalid. Expected scalars/],
    [['show', 'paper/linear', 'paper/affine'], /too many arguments/],
    [
      ['show', 'paper/linear', '--memory', '3/3/0'],
      /paper\/linear: learn\[0\]: scalar address s3 is out of range: this memory has 3 scalars/,
    ],
    [
      ['eval', 'paper/linear', '--tasks', 'linear', '--features', '4096', '--train', '1000000'],
      /4,096 features of [\d,]+ examples do not fit into memory: at most 268,435,456 numbers do/,
    ],
    [['eval', 'paper/linear', '--tasks', 'linear', '--seed', '99999999999999999999'], /from 0 to 9007199254740991/],
    [['simplify'], /missing required argument 'PROGRAM'/],
    [['eval', 'paper/linear'], /required option '--tasks <TASKS>' not specified/],
    [
      ['eval', 'paper/linear', '--tasks', 'cubic'],
      /"cubic": no such set of tasks; expected linear, affine, network, digits, /,
    ],
    [['eval', 'paper/linear', '--tasks', 'linear', '--features', '1'], /Expected a whole number from 2 to/],
    [['eval', 'paper/linear', '--tasks', 'linear', '--count', '0'], /Expected a whole number from 1 to/],
    [['eval', 'paper/linear', '--tasks', 'linear', '--seed', '-1'], /argument '-1' is invalid|argument missing/],
    [['eval', 'paper/linear', '--tasks', 'linear', '--seed', '1e3'], /argument '1e3' is invalid/],
    [
      ['eval', 'paper/multi-class-raw', '--tasks', 'linear'],
      /learns from a label vector \(v1\), and linear tasks have a scalar label \(s0\)/,
    ],
    [['conformance', '/nonexistent'], /\/nonexistent: no such file or directory/],
    [['conformance', 'package.json'], /package\.json: is not a directory/],
    [['conformance', 'src'], /no ops or programs in files ending in \.jsonl/],
  ])('%j', (args, message) => {
    expectMistake(args, message);
  });

  it('with an element beyond the features', () => {
    const path = file(good.replace('s2 = 0.05', 's2 = 0.05\n  v1[9] = 1'));
    expectMistake(['eval', path, '--tasks', 'linear'], /element index 9 in setup needs more than 8 features/);
    expect(evozero(['eval', path, '--tasks', 'linear', '--features', '10', '--count', '1']).status).toBe(0);
  });

  it('with vectors that cannot be read', () => {
    const vectors = join(folder, 'vectors');
    mkdirSync(vectors);
    writeFileSync(join(vectors, 'ops.jsonl'), 'not json\n');
    expectMistake(['conformance', vectors], /ops\.jsonl: line 1: /);
  });

  it('with --debug shows where', () => {
    const { stderr, status } = evozero(['show', 'paper/liner', '--debug']);
    expect(status).toBe(2);
    expect(stderr).toContain('    at ');
  });
});
