// SVHN's MATLAB files of version 5 (not 7.3, which is HDF5): an array X of height x width x channels x count bytes and an
// array y of class numbers 1 to 10, where 10 means the digit 0. Both may be compressed. Reads one variable after the other,
// as it streams by; variables of other names are skipped.
import { printable } from '../../util/quote.js';
import type { Images } from '../images.js';
import { ByteReader, type ByteStream } from './byte-reader.js';

/** Undoes zlib's compression: every platform has its own. */
type Inflate = (stream: ByteStream) => ByteStream;

const HEADER_BYTES = 128;
const ENDIAN_AT = 126;

const TYPE = {
  int8: 1,
  uint8: 2,
  int16: 3,
  uint16: 4,
  int32: 5,
  uint32: 6,
  single: 7,
  double: 9,
  matrix: 14,
  compressed: 15,
};
const BYTES_OF_TYPE: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 9: 8 };
/** Classes of numeric arrays, from double to uint64. */
const NUMERIC = { first: 6, last: 15 };
const COMPLEX_FLAG = 0x0800;
/** Most bytes of sizes and names, of labels, and of pixels: more than any published file has. */
const MOST = { small: 256, labels: 2 ** 24, pixels: 2 ** 31 - 1 };

interface Tag {
  readonly type: number;
  readonly bytes: number;
  /** The data of a small element, which lies in the tag itself. */
  readonly inside?: Uint8Array;
}

/** The elements of a file or of a compressed part of it. */
class ElementReader {
  readonly bytes: ByteReader;
  readonly littleEndian: boolean;

  constructor(bytes: ByteReader, littleEndian: boolean) {
    this.bytes = bytes;
    this.littleEndian = littleEndian;
  }

  view(bytes: Uint8Array): DataView {
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  async tag(): Promise<Tag> {
    const bytes = await this.bytes.read(8, "an element's tag");
    const word = this.view(bytes).getUint32(0, this.littleEndian);
    const small = word >>> 16;
    if (small === 0) return { type: word, bytes: this.view(bytes).getUint32(4, this.littleEndian) };
    if (small > 4) throw this.bytes.error('has a damaged tag');
    return { type: word & 0xffff, bytes: small, inside: bytes.subarray(4, 4 + small) };
  }

  /** The data of an element, read as a whole. A broken file must not ask for all memory. */
  async data({ bytes, inside }: Tag, what: string, mostBytes: number): Promise<Uint8Array> {
    if (inside !== undefined) return inside;
    if (bytes > mostBytes) throw this.bytes.error(`has ${what} of ${bytes} bytes`);
    const data = await this.bytes.read(bytes, what);
    await this.padding(bytes);
    return data;
  }

  /** Elements end at a multiple of eight. */
  async padding(bytes: number): Promise<void> {
    await this.bytes.skip((8 - (bytes % 8)) % 8, 'an element');
  }

  numbers(data: Uint8Array, type: number): number[] {
    const view = this.view(data);
    const size = BYTES_OF_TYPE[type];
    if (size === undefined) throw this.bytes.error(`has numbers of a type, ${type}, that is not known here`);
    const little = this.littleEndian;
    return Array.from({ length: Math.floor(data.length / size) }, (_, k) => {
      const at = k * size;
      switch (type) {
        case TYPE.int8:
          return view.getInt8(at);
        case TYPE.uint8:
          return view.getUint8(at);
        case TYPE.int16:
          return view.getInt16(at, little);
        case TYPE.uint16:
          return view.getUint16(at, little);
        case TYPE.int32:
          return view.getInt32(at, little);
        case TYPE.uint32:
          return view.getUint32(at, little);
        case TYPE.single:
          return view.getFloat32(at, little);
        default:
          return view.getFloat64(at, little);
      }
    });
  }
}

interface MatlabShape {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly classes: number;
}

interface Pixels {
  readonly count: number;
  readonly bytes: Uint8Array;
}

interface Variables {
  pixels?: Pixels;
  labels?: readonly number[];
}

async function readHeader(reader: ByteReader): Promise<boolean> {
  const header = await reader.read(HEADER_BYTES, 'its header');
  const text = String.fromCharCode(...header.subarray(0, 20));
  const mark = String.fromCharCode(...header.subarray(ENDIAN_AT));
  if (text.startsWith('MATLAB 7.3') || text.startsWith('\x89HDF')) {
    throw reader.error("is a MATLAB file of version 7.3; save it with '-v7'");
  }
  if (!text.startsWith('MATLAB') || (mark !== 'IM' && mark !== 'MI'))
    throw reader.error('is not a MATLAB file of version 5');
  return mark === 'IM';
}

/** Images are stored column after column; ours are row after row. */
function transposePlanes(bytes: Uint8Array, { width, height }: MatlabShape): void {
  const plane = new Uint8Array(width * height);
  for (let at = 0; at < bytes.length; at += plane.length) {
    plane.set(bytes.subarray(at, at + plane.length));
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) bytes[at + row * width + column] = plane[column * height + row]!;
    }
  }
}

async function readPixels(elements: ElementReader, dimensions: number[], shape: MatlabShape): Promise<Pixels> {
  const { bytes: reader } = elements;
  const [height, width, channels, count = 1] = dimensions;
  if (height !== shape.height || width !== shape.width || channels !== shape.channels || dimensions.length > 4) {
    const expected = `${shape.height}x${shape.width}x${shape.channels}`;
    throw reader.error(`has an array X of ${dimensions.join('x')}, not ${expected}x(number of images)`);
  }
  const tag = await elements.tag();
  const size = height * width * channels * count;
  if (tag.type !== TYPE.uint8) throw reader.error('has an array X that is not of bytes');
  if (tag.bytes !== size || count === 0) throw reader.error(`has an array X of ${tag.bytes} bytes, not ${size}`);
  const bytes = await elements.data(tag, 'the images of X', MOST.pixels);
  transposePlanes(bytes, shape);
  return { count, bytes };
}

/** One variable, of `length` bytes after its tag. */
async function readVariable(
  elements: ElementReader,
  length: number,
  shape: MatlabShape,
  into: Variables,
): Promise<void> {
  const { bytes: reader } = elements;
  const end = reader.offset + length;
  const small = async (what: string) => elements.data(await elements.tag(), what, MOST.small);
  const flags = elements.numbers(await small("a variable's flags"), TYPE.uint32)[0] ?? 0;
  const dimensions = elements.numbers(await small("a variable's sizes"), TYPE.int32);
  const name = printable(String.fromCharCode(...(await small("a variable's name"))));
  const arrayClass = flags & 0xff;
  const isNumeric = arrayClass >= NUMERIC.first && arrayClass <= NUMERIC.last && (flags & COMPLEX_FLAG) === 0;
  if (name === 'X' || name === 'y') {
    if (!isNumeric) throw reader.error(`has a variable ${name} that is not an array of numbers`);
    if (name === 'X') into.pixels = await readPixels(elements, dimensions, shape);
    else {
      const tag = await elements.tag();
      into.labels = elements.numbers(await elements.data(tag, 'the labels of y', MOST.labels), tag.type);
    }
  }
  if (reader.offset > end) throw reader.error(`has a variable ${name} that is longer than it says`);
  await reader.skip(end - reader.offset, `variable ${name}`);
}

async function readElement(
  elements: ElementReader,
  inflate: Inflate | undefined,
  shape: MatlabShape,
  into: Variables,
): Promise<void> {
  const { bytes: reader } = elements;
  const { type, bytes, inside } = await elements.tag();
  if (type === TYPE.matrix) {
    await readVariable(elements, bytes, shape, into);
  } else if (type === TYPE.compressed) {
    if (inflate === undefined) throw reader.error('has a compressed part within a compressed part');
    const compressed = inflate(reader.stream(bytes, 'a compressed variable'));
    const inner = new ByteReader(`${reader.name}, compressed part`, compressed);
    await readElement(new ElementReader(inner, elements.littleEndian), undefined, shape, into);
    await inner.expectEnd();
  } else if (inside === undefined) {
    await reader.skip(bytes, 'an element');
    await elements.padding(bytes);
  }
}

/** Class numbers 1 to 10, where 10 is the digit 0. */
function classNumbers(reader: ByteReader, labels: readonly number[], classes: number): Uint8Array {
  const strange = labels.findIndex((label) => !Number.isInteger(label) || label < 1 || label > classes);
  if (strange >= 0) {
    throw reader.error(`label ${strange + 1} in y is ${labels[strange]}, and labels are 1 to ${classes}`);
  }
  return Uint8Array.from(labels, (label) => label % classes);
}

export async function readMatlab(reader: ByteReader, shape: MatlabShape, inflate: Inflate): Promise<Images> {
  const elements = new ElementReader(reader, await readHeader(reader));
  const found: Variables = {};
  while (await reader.hasMore()) await readElement(elements, inflate, shape, found);
  const { pixels, labels } = found;
  if (pixels === undefined || labels === undefined) {
    throw reader.error(`has no variable ${pixels === undefined ? 'X' : 'y'}`);
  }
  if (pixels.count !== labels.length) {
    throw reader.error(`has ${labels.length} labels for ${pixels.count} images`);
  }
  const dimension = shape.width * shape.height * shape.channels;
  return { count: pixels.count, dimension, pixels: pixels.bytes, labels: classNumbers(reader, labels, shape.classes) };
}
