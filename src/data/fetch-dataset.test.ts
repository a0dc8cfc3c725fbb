import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { packTar, type TarEntry } from 'modern-tar';
import { describe, expect, test } from 'vitest';
import { type Reply, send, sendThenCut, serve } from '../../tests/support/file-server.js';
import { emptyFolder } from '../../tests/support/folders.js';
import { CONTENT, sha256 } from '../../tests/support/remote-file.js';
import type { DataBatch, Dataset, Download } from '../tasks/datasets.js';
import { DownloadError } from './download-error.js';
import { type FetchOptions, type FetchProgress, fetchDataset } from './fetch-dataset.js';

const IMAGES = CONTENT.subarray(0, 100_000);
const LABELS = CONTENT.subarray(100_000, 100_500);
const FAST = { retryDelayMs: 1 };
const NOWHERE = 'http://127.0.0.1:1';

function dataset(batches: { train: DataBatch[]; test: DataBatch[] }, downloads: Download[]): Dataset {
  const rest = {
    title: 'Test',
    page: '',
    licence: '',
    classes: ['a'],
    width: 1,
    height: 1,
    channels: 1,
    folders: ['t'],
  };
  return { ...rest, editions: [{ batches }], downloads };
}

const sent = (url: string, content: Buffer): Download => ({
  urls: [url],
  bytes: content.length,
  sha256: sha256(content),
});

const dataFile = (name: string, content: Buffer) => ({ name, sha256: sha256(content) });

/** Two files that are sent gzipped, as MNIST's are. */
function idxDataset(base: string): Dataset {
  const files = [dataFile('images', IMAGES), dataFile('labels', LABELS)];
  const downloads = [sent(`${base}/images.gz`, gzipSync(IMAGES)), sent(`${base}/labels.gz`, gzipSync(LABELS))];
  return dataset({ train: [{ format: 'idx', files }], test: [] }, downloads);
}

const IDX_REPLIES = { '/images.gz': send(gzipSync(IMAGES)), '/labels.gz': send(gzipSync(LABELS)) };

async function failureOf(...args: Parameters<typeof fetchDataset>): Promise<Error> {
  const error = await fetchDataset(...args).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DownloadError);
  return error as Error;
}

describe('files that are sent one by one', () => {
  test('are stored as they are sent, with the progress of all together', async () => {
    const folder = join(emptyFolder(), 'new');
    const server = await serve(IDX_REPLIES);
    const seen: FetchProgress[] = [];
    const set = idxDataset(server.base);
    await fetchDataset(set, folder, { onProgress: (progress) => seen.push(progress) });
    expect(readdirSync(folder)).toEqual(['images.gz', 'labels.gz']);
    expect(gunzipSync(readFileSync(join(folder, 'images.gz'))).equals(IMAGES)).toBe(true);
    const total = set.downloads[0]!.bytes + set.downloads[1]!.bytes;
    expect(seen[0]).toEqual({ received: 0, total, file: 'images.gz' });
    expect(seen.at(-1)).toEqual({ received: total, total, file: 'labels.gz' });
    const received = seen.map((progress) => progress.received);
    expect(received).toEqual(received.toSorted((a, b) => a - b));
  });

  test.each([
    { as: 'plain', images: { name: 'images', content: IMAGES }, labels: { name: 'labels', content: LABELS } },
    {
      as: 'gzipped by somebody else',
      images: { name: 'images.gz', content: gzipSync(IMAGES, { level: 1 }) },
      labels: { name: 'labels', content: LABELS },
    },
  ])('need no network if they are there, $as', async ({ images, labels }) => {
    const folder = emptyFolder();
    for (const { name, content } of [images, labels]) writeFileSync(join(folder, name), content);
    await fetchDataset(idxDataset(NOWHERE), folder, FAST);
    expect(readdirSync(folder)).toEqual([images.name, labels.name]);
  });

  test('are fetched only if they are not there', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'images'), IMAGES);
    const server = await serve(IDX_REPLIES);
    const seen: FetchProgress[] = [];
    await fetchDataset(idxDataset(server.base), folder, { onProgress: (progress) => seen.push(progress) });
    expect(server.asked).toEqual(['/labels.gz whole']);
    expect(seen.at(-1)!.total).toBe(gzipSync(LABELS).length);
    expect(readdirSync(folder)).toEqual(['images', 'labels.gz']);
  });

  test.each([
    { name: 'images', content: LABELS, message: 'is not the published file' },
    { name: 'images.gz', content: gzipSync(LABELS), message: 'is not the published file' },
    { name: 'images.gz', content: LABELS, message: 'is not the published file' },
    { name: 'images.gz', content: gzipSync(IMAGES).subarray(0, 500), message: 'ends in the middle' },
  ])('do not replace what somebody else put there ($name, $message)', async ({ name, content, message }) => {
    const folder = emptyFolder();
    const path = join(folder, name);
    writeFileSync(path, content);
    const error = await failureOf(idxDataset(NOWHERE), folder, FAST);
    expect(error.message).toContain(message);
    expect(error.message).toContain(path);
    expect(error.message).toContain('move it away');
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  test('come from a mirror, if there is one', async () => {
    const server = await serve({
      '/data/images.gz': IDX_REPLIES['/images.gz'],
      '/data/labels.gz': IDX_REPLIES['/labels.gz'],
    });
    for (const mirror of [`${server.base}/data`, `${server.base}/data/`]) {
      const folder = emptyFolder();
      await fetchDataset(idxDataset(`${NOWHERE}/far/away`), folder, { mirror });
      expect(readdirSync(folder)).toEqual(['images.gz', 'labels.gz']);
    }
    expect(new Set(server.asked)).toEqual(new Set(['/data/images.gz whole', '/data/labels.gz whole']));
  });

  test('fail together with the file and the address', async () => {
    const server = await serve({ '/images.gz': IDX_REPLIES['/images.gz'] });
    const folder = emptyFolder();
    const error = await failureOf(idxDataset(server.base), folder, FAST);
    expect(error.message).toContain(`${join(folder, 'labels.gz')}: ${server.base}/labels.gz: answered 404`);
    expect(readdirSync(folder)).toEqual(['images.gz']);
  });

  test('are not asked for at a mirror that is no address', async () => {
    const error = await failureOf(idxDataset(NOWHERE), emptyFolder(), { mirror: 'my disk' });
    expect(error.message).toContain('my disk/images.gz: this is not an http or https address');
  });

  test('go on after an abort', async () => {
    const folder = emptyFolder();
    const server = await serve({
      ...IDX_REPLIES,
      '/images.gz': [sendThenCut(gzipSync(IMAGES), 1000), send(gzipSync(IMAGES))],
    });
    const aborter = new AbortController();
    const options: FetchOptions = {
      ...FAST,
      signal: aborter.signal,
      onProgress: ({ received }) => received === 1000 && aborter.abort(new Error('enough')),
    };
    await expect(fetchDataset(idxDataset(server.base), folder, options)).rejects.toThrow('enough');
    await fetchDataset(idxDataset(server.base), folder, FAST);
    expect(server.asked).toEqual(['/images.gz whole', '/images.gz bytes=1000-', '/labels.gz whole']);
  });
});

describe('an archive', () => {
  const BATCHES = new Map([
    ['data_batch_1.bin', CONTENT.subarray(0, 30_000)],
    ['data_batch_2.bin', CONTENT.subarray(30_000, 60_000)],
    ['test_batch.bin', CONTENT.subarray(60_000, 70_001)],
  ]);
  const ALL = [...BATCHES.keys()];

  const entry = (name: string, body: Buffer): TarEntry => ({ header: { name, size: body.length, type: 'file' }, body });
  const good = [...BATCHES].map(([name, body]) => entry(`cifar-10-batches-bin/${name}`, body));
  const pack = async (entries: TarEntry[]) => gzipSync(await packTar(entries));

  function cifarDataset(base: string, archive: Buffer): Dataset {
    const [first, second, last] = [...BATCHES].map(
      ([name, content]): DataBatch => ({ format: 'records', files: [dataFile(name, content)] }),
    );
    const download: Download = { ...sent(`${base}/cifar.tar.gz`, archive), archive: true };
    return dataset({ train: [first!, second!], test: [last!] }, [download]);
  }

  function expectAll(folder: string): void {
    expect(readdirSync(folder)).toEqual(ALL);
    for (const [name, content] of BATCHES) expect(readFileSync(join(folder, name)).equals(content)).toBe(true);
  }

  async function serveArchive(entries: TarEntry[], reply: (archive: Buffer) => Reply = send) {
    const archive = await pack(entries);
    const server = await serve({ '/cifar.tar.gz': reply(archive) });
    return { server, set: cifarDataset(server.base, archive) };
  }

  test('gives its files, and goes', async () => {
    const folder = join(emptyFolder(), 'cifar10');
    const { server, set } = await serveArchive([
      { header: { name: 'cifar-10-batches-bin/', size: 0, type: 'directory' } },
      entry('cifar-10-batches-bin/readme.html', Buffer.from('<html>')),
      ...good,
    ]);
    await fetchDataset(set, folder);
    expectAll(folder);
    await fetchDataset(set, folder);
    expect(server.asked).toEqual(['/cifar.tar.gz whole']);
  });

  test('with hostile entries gives nothing else, and nothing outside the folder', async () => {
    const outside = emptyFolder();
    const folder = join(outside, 'a/b');
    const evil = Buffer.from('evil');
    const { set } = await serveArchive([
      entry('../evil', evil),
      entry(join(outside, 'evil'), evil),
      entry('../../data_batch_1.bin', evil),
      { header: { name: 'x/data_batch_1.bin', size: 0, type: 'symlink', linkname: join(outside, 'evil') } },
      { header: { name: 'x/data_batch_2.bin', size: 0, type: 'link', linkname: '/etc/passwd' } },
      { header: { name: 'test_batch.bin', size: 0, type: 'directory' } },
      entry('..', evil),
      ...good,
      entry('y/data_batch_1.bin', evil),
    ]);
    await fetchDataset(set, folder);
    expectAll(folder);
    expect(readdirSync(outside)).toEqual(['a']);
    expect(readdirSync(join(outside, 'a'))).toEqual(['b']);
  });

  test('gives only what is missing', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'data_batch_1.bin'), BATCHES.get('data_batch_1.bin')!);
    const { set } = await serveArchive(good.slice(1));
    await fetchDataset(set, folder);
    expectAll(folder);
  });

  test('that lacks a file, or has it with other content, is named with it', async () => {
    const folder = emptyFolder();
    const { set } = await serveArchive([good[0]!, entry('data_batch_2.bin', Buffer.from('other'))]);
    const error = await failureOf(set, folder);
    expect(error.message).toBe(
      `${join(folder, 'cifar.tar.gz')} lacks data_batch_2.bin, test_batch.bin with the published content`,
    );
    expect(readdirSync(folder)).toEqual(['cifar.tar.gz', 'data_batch_1.bin']);
  });

  test('that was brought by hand needs no network', async () => {
    const folder = emptyFolder();
    const archive = await pack(good);
    writeFileSync(join(folder, 'cifar.tar.gz'), archive);
    await fetchDataset(cifarDataset(NOWHERE, archive), folder);
    expectAll(folder);
  });

  test('is not taken out after an abort', async () => {
    const folder = emptyFolder();
    const archive = await pack(good);
    writeFileSync(join(folder, 'cifar.tar.gz'), archive);
    const reason = new Error('enough');
    const fetched = fetchDataset(cifarDataset(NOWHERE, archive), folder, { signal: AbortSignal.abort(reason) });
    await expect(fetched).rejects.toBe(reason);
    expect(readdirSync(folder)).toEqual(['cifar.tar.gz']);
  });

  test('that is no archive is named', async () => {
    const archive = Buffer.from('not gzip');
    const server = await serve({ '/cifar.tar.gz': send(archive) });
    const folder = emptyFolder();
    const error = await failureOf(cifarDataset(server.base, archive), folder);
    expect(error.message).toContain(`cannot unpack ${join(folder, 'cifar.tar.gz')}`);
  });

  test('with leftovers of a killed process is taken out from the beginning', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'data_batch_2.bin.partial'), 'leftover');
    const { set } = await serveArchive(good);
    await fetchDataset(set, folder);
    expectAll(folder);
  });

  test('is fetched by several at once', async () => {
    const folder = emptyFolder();
    const { set } = await serveArchive(good);
    await Promise.all([1, 2, 3, 4].map(() => fetchDataset(set, folder)));
    expectAll(folder);
  });

  test('whose place is taken leaves it alone', async () => {
    const folder = emptyFolder();
    mkdirSync(join(folder, 'data_batch_1.bin'));
    const { set } = await serveArchive(good);
    const error = await failureOf(set, folder);
    expect(error.message).toBe(
      `cannot write ${join(folder, 'data_batch_1.bin')}: there is a folder of this name; move it away`,
    );
    expect(readdirSync(folder)).toEqual(['cifar.tar.gz', 'data_batch_1.bin']);
  });
});
