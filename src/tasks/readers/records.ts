// CIFAR-10's binary batches: records of one label byte and an image's pixels, plane after plane.
import type { Images } from '../images.js';
import type { ByteReader } from './byte-reader.js';
import { GrowingBytes } from './growing-bytes.js';

interface RecordShape {
  readonly dimension: number;
  readonly classes: number;
}

export async function readRecords(reader: ByteReader, { dimension, classes }: RecordShape): Promise<Images> {
  const pixels = new GrowingBytes();
  const labels = new GrowingBytes();
  const record = new Uint8Array(1 + dimension);
  let count = 0;
  while (await reader.hasMore()) {
    const what = `record ${count + 1}, which has ${record.length} bytes`;
    await reader.readInto(record, what);
    const label = record[0]!;
    if (label >= classes)
      throw reader.error(
        `record ${count + 1} has label ${label}, and labels are 0 to ${classes - 1}`,
        count * record.length,
      );
    labels.extend(1)[0] = label;
    pixels.extend(dimension).set(record.subarray(1));
    count++;
  }
  if (count === 0) throw reader.error('is empty');
  return { count, dimension, pixels: pixels.all(), labels: labels.all() };
}
