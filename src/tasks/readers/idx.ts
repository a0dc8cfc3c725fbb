// IDX, the format of MNIST and Fashion-MNIST: a magic number, the sizes, then bytes. Images and labels are two files.
import type { Images } from '../images.js';
import type { ByteReader } from './byte-reader.js';

/** Two zero bytes, 8 for unsigned bytes, and the number of dimensions. */
const MAGIC = { images: 0x00000803, labels: 0x00000801 };
const HEADER_OF_LABELS = 8;
/** More than any published file: a broken header must not ask for all memory. */
const MAX_IMAGES = 1_000_000;

async function readHeader(reader: ByteReader, magic: number): Promise<number[]> {
  const dimensions = magic & 0xff;
  const view = new DataView((await reader.read(4 + 4 * dimensions, 'its header')).buffer);
  const found = view.getUint32(0);
  if (found !== magic) {
    const hex = (x: number) => `0x${x.toString(16).padStart(8, '0')}`;
    throw reader.error(
      `is not an IDX file of ${dimensions === 1 ? 'labels' : 'images'}: begins with ${hex(found)}, not ${hex(magic)}`,
      0,
    );
  }
  return Array.from({ length: dimensions }, (_, k) => view.getUint32(4 + 4 * k));
}

function checkCount(reader: ByteReader, count: number): void {
  if (count === 0 || count > MAX_IMAGES) throw reader.error(`says that it has ${count} items`);
}

interface IdxShape {
  readonly width: number;
  readonly height: number;
  readonly classes: number;
}

export async function readIdx(images: ByteReader, labels: ByteReader, shape: IdxShape): Promise<Images> {
  const { width, height, classes } = shape;
  const dimension = width * height;
  const [count, rows, columns] = (await readHeader(images, MAGIC.images)) as [number, number, number];
  checkCount(images, count);
  if (rows !== height || columns !== width) {
    throw images.error(`has images of ${rows} rows and ${columns} columns, not ${height} and ${width}`);
  }
  const [labelCount] = (await readHeader(labels, MAGIC.labels)) as [number];
  if (labelCount !== count) throw labels.error(`has ${labelCount} labels for the ${count} images of ${images.name}`);
  const labelBytes = await labels.read(count, `its ${count} labels`);
  await labels.expectEnd();
  const strange = labelBytes.findIndex((label) => label >= classes);
  if (strange >= 0) {
    throw labels.error(
      `label ${strange + 1} is ${labelBytes[strange]}, and labels are 0 to ${classes - 1}`,
      HEADER_OF_LABELS + strange,
    );
  }
  const pixels = await images.read(count * dimension, `its ${count} images`);
  await images.expectEnd();
  return { count, dimension, pixels, labels: labelBytes };
}
