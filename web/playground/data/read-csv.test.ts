import { describe, expect, it } from 'vitest';
import { MAX_BYTES, readCsv } from './read-csv.js';

const read = (text: string) => readCsv('mine.csv', new TextEncoder().encode(text));

describe('reading CSV in a page', () => {
  it('finds header, rows, lines and delimiter', () => {
    expect(read('a;b\r\n1;"x\ny"\r\n\r\n2;z\r\n')).toEqual({
      name: 'mine.csv',
      header: ['a', 'b'],
      rows: [
        ['1', 'x\ny'],
        ['2', 'z'],
      ],
      lines: [2, 5],
      delimiter: ';',
    });
    expect(read('\uFEFFa,b\n1,2').header).toEqual(['a', 'b']);
    expect(read('a\n1\n\n2\n').rows).toEqual([['1'], [''], ['2']]);
  });

  it.each([
    ['', 'mine.csv: is empty'],
    ['a,b\n1,2\n3', 'mine.csv:3: 1 cell, the header has 2'],
    ['a,b\n"1,2\n3,4', 'mine.csv:2: a quote is not closed'],
    ['a,b\n1,\0', 'not a text file'],
    ['x,'.repeat(2000), 'at most 1000'],
  ])('refuses %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it('refuses what is no UTF-8, and what is too large', () => {
    expect(() => readCsv('x', Uint8Array.of(0xe9, 0x2c))).toThrow('UTF-8');
    expect(() => readCsv('x', Uint8Array.of(0xff, 0xfe, 0x61, 0))).toThrow('UTF-16');
    expect(() => readCsv('x', new Uint8Array(MAX_BYTES + 1))).toThrow('20 MB');
  });

  it('keeps names of files short and printable', () => {
    expect(() => readCsv(`a\u001b[31m${'b'.repeat(500)}`, new Uint8Array(0))).toThrow(/^\P{C}{1,120}: is empty$/u);
  });
});
