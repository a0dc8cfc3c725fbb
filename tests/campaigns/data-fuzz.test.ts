// Data files with random damage: every one is either read or refused with a DataError, whatever its format.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../src/data/csv.js';
import { fileBytes, inflate } from '../../src/data/file-bytes.js';
import { DataError } from '../../src/tasks/data-error.js';
import { ByteReader } from '../../src/tasks/readers/byte-reader.js';
import { readIdx } from '../../src/tasks/readers/idx.js';
import { readMatlab } from '../../src/tasks/readers/matlab.js';
import { readRecords } from '../../src/tasks/readers/records.js';
import { tabularTask } from '../../src/tasks/tabular/tabular.js';
import { RandomStream } from '../../src/util/random.js';
import { campaignSize } from '../support/amount.js';
import { SEED } from '../support/arbitraries.js';
import { damageBytes } from '../support/damage.js';
import { temporaryFolder } from '../support/folders.js';

const CASES = campaignSize(600);
const folder = temporaryFolder();
const matlab = (name: string) => readFileSync(new URL(`../fixtures/matlab/${name}.mat`, import.meta.url));

const RECORDS = Buffer.from(Array.from({ length: 35 }, (_, k) => (k % 7 === 0 ? k % 10 : 7 * k)));
const LABELS = Buffer.from([0, 0, 8, 1, 0, 0, 0, 3, 1, 0, 9]);
const IMAGES = Buffer.from([
  0,
  0,
  8,
  3,
  0,
  0,
  0,
  3,
  0,
  0,
  0,
  2,
  0,
  0,
  0,
  3,
  ...Array.from({ length: 18 }, (_, k) => 9 * k),
]);
const CSV = Buffer.from(
  `a,"b ""x""",y\n${Array.from({ length: 12 }, (_, k) => `${k},"w${k % 3}\nz",${k * k}`).join('\n')}\n`,
);

let opened: ByteReader[] = [];

function readerOf(bytes: Buffer, name: string): ByteReader {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const reader = new ByteReader(path, fileBytes(path));
  opened.push(reader);
  return reader;
}

/** As everybody does who opens files, or soon none could be opened. */
async function closeAll(): Promise<void> {
  for (const reader of opened) await reader.close();
  opened = [];
}

async function readTable(bytes: Buffer): Promise<void> {
  const path = join(folder, 'table.csv');
  writeFileSync(path, bytes);
  const table = await readCsv(path);
  const { task } = tabularTask(table, { target: 'y' }, 1);
  expect(task.train.features.every(Number.isFinite) && task.train.labels.every(Number.isFinite)).toBe(true);
}

const matlabShape = { width: 3, height: 2, channels: 3, classes: 10 };
const readMatlabBytes = async (bytes: Buffer) => {
  const reader = readerOf(bytes, 'x.mat');
  await readMatlab(reader, matlabShape, (stream) => inflate(stream, reader.name));
};

const FORMATS: readonly [name: string, good: Buffer, read: (bytes: Buffer) => Promise<unknown>][] = [
  ['records', RECORDS, (bytes) => readRecords(readerOf(bytes, 'records'), { dimension: 6, classes: 10 })],
  [
    'gzipped records',
    gzipSync(RECORDS),
    (bytes) => readRecords(readerOf(bytes, 'records.gz'), { dimension: 6, classes: 10 }),
  ],
  ['IDX images', IMAGES, (bytes) => readIdx(readerOf(bytes, 'images'), readerOf(LABELS, 'labels'), matlabShape)],
  ['IDX labels', LABELS, (bytes) => readIdx(readerOf(IMAGES, 'images'), readerOf(bytes, 'labels'), matlabShape)],
  ['MATLAB', matlab('plain'), readMatlabBytes],
  ['compressed MATLAB', matlab('labels-first'), readMatlabBytes],
  ['CSV', CSV, readTable],
  ['gzipped CSV', gzipSync(CSV), readTable],
];

describe.each(FORMATS)('%s', (_, good, read) => {
  it('is read', async () => {
    await read(good);
    await closeAll();
  });

  it(`with damage is read or refused, ${CASES} times`, async ({ task }) => {
    const outcomes = { read: 0, refused: 0 };
    for (let k = 0; k < CASES; k++) {
      const bytes = damageBytes(good, new RandomStream(SEED, k));
      try {
        await read(bytes);
        outcomes.read++;
      } catch (error) {
        if (!(error instanceof DataError))
          throw new Error(`case ${k}: ${error}\n${bytes.toString('base64')}`, { cause: error });
        expect(error.message).not.toContain('\n');
        outcomes.refused++;
      } finally {
        await closeAll();
      }
    }
    task.meta.cases = CASES;
    expect(outcomes.refused).toBeGreaterThan(CASES / 10);
  });
});
