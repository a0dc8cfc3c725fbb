import { chmod, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pickCases } from '../../tests/support/amount.js';
import '../../tests/support/arbitraries.js';
import { DataError } from '../tasks/data-error.js';
import { readCsv } from './csv.js';

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evozero-csv-'));
  path = join(folder, 't.csv');
});

afterAll(() => rm(folder, { recursive: true }));

async function read(content: string | Uint8Array) {
  await writeFile(path, content);
  return readCsv(path);
}

async function problem(file: string, maxBytes?: number): Promise<string> {
  const error = await readCsv(file, maxBytes === undefined ? {} : { maxBytes }).then(
    () => new Error('no error'),
    (e: unknown) => e as Error,
  );
  expect(error).toBeInstanceOf(DataError);
  expect(error.message).not.toContain('\n');
  return error.message.replace(folder, '').replace(/^\//, '');
}

async function problemOf(content: string | Uint8Array, maxBytes?: number): Promise<string> {
  await writeFile(path, content);
  return problem(path, maxBytes);
}

const PLAIN = {
  header: ['a', 'b'],
  rows: [
    ['1', 'x y'],
    ['2', ''],
  ],
  lines: [2, 3],
};

describe('tables', () => {
  it('with a delimiter that is given', async () => {
    await writeFile(path, 'a,x;b:c\n1:2\n');
    expect(await readCsv(path, { delimiter: ':' })).toMatchObject({ header: ['a,x;b', 'c'], rows: [['1', '2']] });
  });

  it.each([
    ['commas', 'a,b\n1,x y\n2,\n'],
    ['semicolons', 'a;b\n1;x y\n2;\n'],
    ['tabs', 'a\tb\n1\tx y\n2\t\n'],
    ['bars', 'a|b\n1|x y\n2|\n'],
    ['no last line end', 'a,b\n1,x y\n2,'],
    ['the line ends of Windows', 'a,b\r\n1,x y\r\n2,\r\n'],
    ['the line ends of old Macs', 'a,b\r1,x y\r2,\r'],
    ['mixed line ends', 'a,b\r\n1,x y\n2,\r\n'],
    ['blank last lines', 'a,b\n1,x y\n2,\n\n  \r\n\n'],
    ['quotes', '"a","b"\n"1","x y"\n2,""\n'],
    ['spaces after quotes', '"a" ,"b"  \n"1","x y" \n2,""\n'],
    ['a byte-order mark', '\uFEFFa,b\n1,x y\n2,\n'],
  ])('with %s', async (_, text) => {
    const delimiter = /[,;\t|]/.exec(text)![0];
    expect(await read(text)).toEqual({ name: path, ...PLAIN, delimiter });
    expect(await read(gzipSync(text))).toEqual({ name: path, ...PLAIN, delimiter });
  });

  it('know the lines where rows begin', async () => {
    const { rows, lines } = await read('\na,b\n"1\r\n\r\n2",x\n\n"3\n4","5\n6"\n7,8\n');
    expect(rows).toEqual([
      ['1\n\n2', 'x'],
      ['3\n4', '5\n6'],
      ['7', '8'],
    ]);
    expect(lines).toEqual([3, 7, 10]);
  });

  it('with decimal commas between semicolons', async () => {
    expect((await read('a;b;c\n1,5;2,5;3,5\n1,5;2,5;3,5\n')).rows[0]).toEqual(['1,5', '2,5', '3,5']);
  });

  it('of one column keep blank lines within', async () => {
    const { rows, lines } = await read('a\n1\n\n3\n\n');
    expect(rows).toEqual([['1'], [''], ['3']]);
    expect(lines).toEqual([2, 3, 4]);
  });

  it('of a header only have no rows', async () => {
    expect(await read('a,b\n')).toMatchObject({ header: ['a', 'b'], rows: [] });
  });

  it('are not cut where pieces of the file end, be it within a character, a quote or a line end', async () => {
    const special = '"é€😀 said ""so""\r\n\r\nand left" ,"",""""\r\n';
    const pieceLength = 2 ** 20;
    const header = 'a,b,c\r\n';
    const shifts = Array.from({ length: Buffer.byteLength(special) + 1 }, (_, k) => k);
    for (const shift of pickCases(shifts, 5)) {
      const filler = 'x'.repeat(pieceLength - header.length - ',,\r\n'.length - shift);
      const { rows, lines } = await read(`${header}${filler},,\r\n${special}1,2,3\r\n`);
      expect(rows).toEqual([
        [filler, '', ''],
        ['é€😀 said "so"\n\nand left', '', '"'],
        ['1', '2', '3'],
      ]);
      expect(lines).toEqual([2, 3, 6]);
    }
  });

  it('of many pieces are whole', async () => {
    const count = 40_000;
    const rows = Array.from({ length: count }, (_, k) => [`é${k}`, `"${k}"`, `line\n${'x'.repeat(k % 7)}`]);
    const text = Papa.unparse([['a', 'b', 'c'], ...rows]);
    for (const content of [text, gzipSync(text)]) {
      const table = await read(content);
      expect(table.rows).toEqual(rows);
      expect(table.lines?.at(-1)).toBe(2 * count);
    }
  });

  it('with very long rows', async () => {
    const wide = Array.from({ length: 100_000 }, (_, k) => `c${k}`);
    const { header, rows } = await read([wide, wide, wide].map((row) => row.join(';')).join('\n'));
    expect(header).toEqual(wide);
    expect(rows[1]).toEqual(wide);
  });
});

describe('any cells', () => {
  const cell = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('"', ',', ';', '\n', '\r', '\r\n', ' ', '\t', '|', 'x', '""'), { maxLength: 6 })
      .map((parts) => parts.join('')),
  );
  // The first column is plain, so that no row is blank and the delimiter is plain to see.
  const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 8 });
  const whole = (body: string[][]) => [['a', 'b', 'c', 'd'], ...body.map((row, k) => [`r${k}`, ...row])];
  const received = (text: string) => text.replace(/\r\n?/g, '\n');
  const clean = (body: string[][]) => body.map((row) => row.map((text) => text.replaceAll('\0', '')));

  it.each([',', ';', '\t', '|'])('come back as Papa Parse wrote them with %j', async (delimiter) => {
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom('\n', '\r\n'), async (body, newline) => {
        const table = whole(clean(body));
        const { header, rows: back } = await read(Papa.unparse(table, { delimiter, newline }));
        expect([header, ...back]).toEqual(table.map((row) => row.map(received)));
      }),
      { numRuns: 60 },
    );
  });

  it('come back as they were quoted by hand', async () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(rows, fc.boolean(), async (body, isZipped) => {
        const table = whole(clean(body));
        const text = table.map((row) => `${row.map(quoted).join(',')}\n`).join('');
        const { header, rows: back } = await read(isZipped ? gzipSync(text) : text);
        expect([header, ...back]).toEqual(table.map((row) => row.map(received)));
      }),
      { numRuns: 60 },
    );
  });
});

describe('files that are no tables', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['too few cells', 'a,b,c\n1,2,3\n\n4,5\n', 't.csv:4: 2 cells, the header has 3'],
    ['too many cells', 'a,b\n"1\n1",2\n3,4,5\n', 't.csv:4: 3 cells, the header has 2'],
    ['one cell', 'a,b\r\n1,2\r\n3\r\n', 't.csv:3: 1 cell, the header has 2'],
    ['a quote not closed', 'a,b\n1,2\n3,"4\n5,6\n', 't.csv:3: a quote is not closed'],
    [
      'a quote in the middle',
      'a,b\n1,2\n"3"x,4\n',
      't.csv:3: a quote is not closed, or a quote within quotes is not doubled',
    ],
    [
      'a quote closed by the next one',
      'a,b\n"1,2\n"3",4\n',
      't.csv:2: a quote is not closed, or a quote within quotes is not doubled',
    ],
    ['no content', '', 't.csv: is empty'],
    ['blank lines', '\n \r\n', 't.csv: is empty'],
    ['a mark only', '\uFEFF', 't.csv: is empty'],
    ['other encodings', Buffer.from('a,b\né,2\n', 'latin1'), 't.csv: is not UTF-8 text'],
    ['a character cut off', Buffer.from('a,b\n1,é').subarray(0, -1), 't.csv: is not UTF-8 text'],
    ['NUL bytes', 'a,b\n1,\0\n', 't.csv: has NUL bytes, so it is not a text file'],
    ['UTF-16', Buffer.from('a,b\n', 'utf16le'), 't.csv: has NUL bytes, so it is not a text file'],
    [
      'gzip cut off',
      gzipSync('a,b\n1,2\n'.repeat(99)).subarray(0, -20),
      't.csv: ends in the middle of its compressed data: is it complete?',
    ],
    [
      'gzip and nothing more',
      Buffer.of(0x1f, 0x8b),
      't.csv: ends in the middle of its compressed data: is it complete?',
    ],
    [
      'gzip damaged',
      Buffer.concat([gzipSync('a').subarray(0, 10), Buffer.alloc(50, 0xff)]),
      't.csv: its compressed data is damaged: invalid block type',
    ],
    ['too many columns', `${'a,'.repeat(100_000)}a\n`, 't.csv:1: 100001 columns; at most 100000 are taken'],
    [
      'an endless row',
      `a,b\n1,2\n3,"${'4\n'.repeat(2 ** 23)}`,
      't.csv:3: a row of more than 16777216 characters; is a quote not closed?',
    ],
  ])('%s', async (_, content, expected) => {
    expect(await problemOf(content)).toBe(expected);
  });

  it('too much text, also unpacked', async () => {
    const text = 'a,b\n1,2\n'.repeat(100);
    for (const content of [text, gzipSync(text)]) {
      expect(await problemOf(content, 500)).toBe('t.csv: has more than 500 bytes of text, which is too much');
    }
  });

  it('too large a file, without reading it', async () => {
    await writeFile(path, '');
    await truncate(path, 2 ** 33);
    expect(await problem(path)).toBe('t.csv: has more than 1073741824 bytes of text, which is too much');
    await rm(path);
  });

  it('no file', async () => {
    expect(await problem(join(folder, 'none.csv'))).toBe('none.csv: no such file or directory');
  });

  it('a folder', async () => {
    await mkdir(join(folder, 'sub'));
    expect(await problem(join(folder, 'sub'))).toBe('sub: is a directory');
  });

  it('a file that may not be read', async () => {
    await writeFile(path, 'a,b\n');
    await chmod(path, 0);
    await chmod(folder, 0o755);
    // Root may read everything, so it becomes nobody for a moment.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid!(65534);
    try {
      expect(await problem(path)).toBe('t.csv: permission denied');
    } finally {
      if (isRoot) process.seteuid!(0);
    }
    await rm(path);
  });
});
