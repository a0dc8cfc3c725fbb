// Downloads from a real server that misbehaves in every way that servers do. What processes do to each other is tested in
// partial-file.test.ts.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Reply,
  send,
  sendChunked,
  sendIgnoringRanges,
  sendRaw,
  sendThenCut,
  sendThenStall,
  serve,
  status,
} from '../../tests/support/file-server.js';
import { CONTENT, target } from '../../tests/support/remote-file.js';
import { type DownloadProgress, download } from './download.js';
import { DownloadError } from './download-error.js';

const LENGTH = CONTENT.length;
const HALF = LENGTH / 2;
const OTHER = Buffer.from(CONTENT).reverse();
const PAGE = Buffer.from('<html>Please log in</html>');
const FAST = { retryDelayMs: 1, stallMs: 5000 };

/** Serves the replies at /file, and downloads that. */
async function fetchOne(replies: Reply | readonly Reply[], partial?: Buffer, options = {}) {
  const { path, remote, folder } = target();
  if (partial !== undefined) writeFileSync(`${path}.partial`, partial);
  const server = await serve({ '/file': replies });
  const file = remote([`${server.base}/file`]);
  const error = await download(file, { ...FAST, ...options }).then(
    () => undefined,
    (reason: unknown) => reason as Error,
  );
  return { server, file, path, folder, error };
}

/** The file is right, and nothing else lies there. */
function expectRight({ folder, path, error }: { folder: string; path: string; error: Error | undefined }): void {
  expect(error).toBeUndefined();
  expect(readFileSync(path).equals(CONTENT)).toBe(true);
  expect(readdirSync(folder)).toEqual(['file.bin']);
}

function expectFailure({ path, error }: { path: string; error: Error | undefined }, message: string): void {
  expect(error).toBeInstanceOf(DownloadError);
  expect(error!.message).toContain(message);
  expect(error!.message).toContain(path);
  expect(error!.message).not.toContain('\n');
  expect(existsSync(path)).toBe(false);
}

describe('a download', () => {
  test('comes whole, in a folder that is made for it', async () => {
    const { path, remote } = target('deep/er');
    const server = await serve({ '/file': send(CONTENT) });
    await download(remote([`${server.base}/file`]));
    expect(readFileSync(path).equals(CONTENT)).toBe(true);
    expect(server.asked).toEqual(['/file whole']);
  });

  test('of a file that is there and right needs no network', async () => {
    const { path, remote } = target();
    writeFileSync(path, CONTENT);
    await download(remote(['http://127.0.0.1:1/file']));
  });

  test('replaces a file that is there and wrong', async () => {
    const { path, remote, folder } = target();
    writeFileSync(path, OTHER);
    const server = await serve({ '/file': send(CONTENT) });
    await download(remote([`${server.base}/file`]), FAST);
    expectRight({ folder, path, error: undefined });
  });

  test('tells how far it is, and what was there', async () => {
    const seen: DownloadProgress[] = [];
    const onProgress = (progress: DownloadProgress) => seen.push(progress);
    const result = await fetchOne(send(CONTENT), CONTENT.subarray(0, HALF), { onProgress });
    expectRight(result);
    expect(seen[0]).toEqual({ received: HALF, total: LENGTH });
    expect(seen.at(-1)).toEqual({ received: LENGTH, total: LENGTH });
  });

  test('follows redirects', async () => {
    const { path, remote, folder } = target();
    const to = (location: string): Reply => sendRaw(302, { location, 'content-length': 0 }, Buffer.alloc(0));
    const server = await serve({ '/old': to('/older'), '/older': to('new'), '/new': send(CONTENT) });
    await download(remote([`${server.base}/old`]), FAST);
    expectRight({ folder, path, error: undefined });
    expect(server.asked).toEqual(['/old whole', '/older whole', '/new whole']);
  });

  test('does not follow redirects for ever, nor out of the web', async () => {
    const circle = await fetchOne(({ response }) => response.writeHead(302, { location: '/file' }).end());
    expectFailure(circle, 'redirects more than 10 times');
    const out = await fetchOne(({ response }) => response.writeHead(302, { location: 'file:///etc/passwd' }).end());
    expectFailure(out, 'redirects to "file:///etc/passwd", which is not an http or https address');
  });

  test('takes the bytes as they are when a server labels the file as encoded', async () => {
    const headers = { 'content-encoding': 'x-gzip', 'content-length': LENGTH };
    expectRight(await fetchOne(sendRaw(200, headers, CONTENT)));
  });

  test('takes an answer without a length', async () => {
    expectRight(await fetchOne(sendChunked(CONTENT)));
    expectRight(await fetchOne(sendRaw(200, {}, CONTENT)));
  });
});

describe('a partial file', () => {
  test('is gone on with', async () => {
    const result = await fetchOne(send(CONTENT), CONTENT.subarray(0, 1000));
    expectRight(result);
    expect(result.server.asked).toEqual(['/file bytes=1000-']);
  });

  test('that has all bytes needs no network', async () => {
    const result = await fetchOne(status(500), CONTENT);
    expectRight(result);
    expect(result.server.asked).toEqual([]);
  });

  test.each([
    { what: 'is too long', partial: Buffer.concat([CONTENT, PAGE]), asked: ['/file whole'] },
    { what: 'has wrong bytes', partial: OTHER.subarray(0, 1000), asked: ['/file bytes=1000-', '/file whole'] },
    { what: 'has all bytes, but wrong ones', partial: OTHER, asked: ['/file whole'] },
  ])('that $what is fetched again', async ({ partial, asked }) => {
    const result = await fetchOne(send(CONTENT), partial);
    expectRight(result);
    expect(result.server.asked).toEqual(asked);
  });

  test('begins again where the server ignores ranges', async () => {
    const result = await fetchOne(sendIgnoringRanges(CONTENT), OTHER.subarray(0, 1000));
    expectRight(result);
    expect(result.server.asked).toEqual(['/file bytes=1000-']);
  });

  test.each([
    { what: '416', reply: status(416) },
    {
      what: 'another place',
      reply: sendRaw(206, { 'content-range': `bytes 0-${LENGTH - 1}/${LENGTH}` }, CONTENT),
    },
    { what: 'no place', reply: sendRaw(206, {}, CONTENT.subarray(1000)) },
    {
      what: 'more than is left',
      reply: sendRaw(206, { 'content-range': `bytes 1000-${LENGTH - 1}/${LENGTH}` }, CONTENT),
    },
  ])('begins again after an answer with $what', async ({ reply }) => {
    const result = await fetchOne([reply, send(CONTENT)], CONTENT.subarray(0, 1000));
    expectRight(result);
    expect(result.server.asked).toEqual(['/file bytes=1000-', '/file whole']);
  });

  test('is kept when the server has a file of another length', async () => {
    const range = { 'content-range': `bytes 1000-1999/${LENGTH + 1}` };
    const result = await fetchOne(sendRaw(206, range, CONTENT.subarray(1000, 2000)), CONTENT.subarray(0, 1000));
    expectFailure(result, `another file there, of ${LENGTH + 1} bytes instead of ${LENGTH}`);
    expect(statSync(`${result.path}.partial`).size).toBe(1000);
  });

  test('may come in smaller ranges than asked for', async () => {
    const small: Reply = ({ response, from }) => {
      const piece = CONTENT.subarray(from, from + HALF / 2);
      const range = `bytes ${from}-${from + piece.length - 1}/*`;
      response.writeHead(206, { 'content-range': range, 'content-length': piece.length }).end(piece);
    };
    const result = await fetchOne(small);
    expectRight(result);
    expect(result.server.asked).toHaveLength(4);
  });
});

describe('a connection that is cut', () => {
  test.each([1, 1000, HALF, LENGTH - 1])('after %i bytes is taken up there', async (bytes) => {
    const result = await fetchOne([sendThenCut(CONTENT, bytes), send(CONTENT)]);
    expectRight(result);
    expect(result.server.asked).toEqual(['/file whole', `/file bytes=${bytes}-`]);
  });

  test('before any answer is tried again', async () => {
    const hangUp: Reply = ({ request }) => request.socket.destroy();
    const result = await fetchOne([hangUp, hangUp, send(CONTENT)]);
    expectRight(result);
    expect(result.server.asked).toEqual(['/file whole', '/file whole', '/file whole']);
  });

  test('again and again is taken up as long as bytes come', async () => {
    const step = LENGTH / 20;
    const result = await fetchOne(sendThenCut(CONTENT, step));
    expectRight(result);
    expect(result.server.asked).toHaveLength(20);
    expect(result.server.asked.at(-1)).toBe(`/file bytes=${19 * step}-`);
  });

  test('is given up when no more bytes come, and kept', async () => {
    const result = await fetchOne([sendThenCut(CONTENT, 1000), sendThenCut(CONTENT, 0)]);
    expectFailure(result, 'the connection was cut, 5 times in a row');
    expect(result.error!.message).toContain('it goes on where it stopped');
    expect(result.server.asked).toEqual(['/file whole', ...Array(5).fill('/file bytes=1000-')]);
    expect(readFileSync(`${result.path}.partial`).equals(CONTENT.subarray(0, 1000))).toBe(true);
  });

  test('is given up when a server without ranges always stops at the same place', async () => {
    const result = await fetchOne((exchange) => sendThenCut(CONTENT, 1000)({ ...exchange, from: 0 }));
    expectFailure(result, '5 times in a row');
    expect(result.server.asked).toHaveLength(6);
  });

  test('counts as one when nothing comes any more', async () => {
    const result = await fetchOne([sendThenStall(CONTENT, HALF), send(CONTENT)], undefined, { stallMs: 1500 });
    expectRight(result);
    expect(result.server.asked).toEqual(['/file whole', `/file bytes=${HALF}-`]);
  });

  test('is waited for when the host goes away in the middle', async () => {
    const { path, remote, folder } = target();
    const server = await serve({ '/file': sendThenCut(CONTENT, HALF) });
    const error = await download(remote([`${server.base}/file`]), {
      ...FAST,
      onProgress: ({ received }) => received === HALF && server.close(),
    }).catch((reason: Error) => reason);
    expectFailure({ path, error: error as Error }, 'connection refused, 5 times in a row');
    expect(readdirSync(folder)).toEqual(['file.bin.partial']);
  });
});

describe('an address', () => {
  const other = (reply: Reply | readonly Reply[]) => ({ '/first': reply, '/second': send(CONTENT) });

  test.each([
    { what: 'answers 404', reply: status(404), requests: 1 },
    { what: 'answers 403', reply: status(403), requests: 1 },
    { what: 'goes on answering 503', reply: status(503), requests: 5 },
    { what: 'sends other content', reply: send(OTHER), requests: 1 },
    { what: 'sends a page instead', reply: sendChunked(PAGE), requests: 1 },
    { what: 'sends a page of known length', reply: send(PAGE), requests: 1 },
    { what: 'promises too much', reply: sendRaw(200, { 'content-length': LENGTH + 5 }, CONTENT), requests: 1 },
    { what: 'promises too little', reply: sendRaw(200, { 'content-length': LENGTH - 5 }, CONTENT), requests: 1 },
    { what: 'sends too much', reply: sendChunked(Buffer.concat([CONTENT, PAGE])), requests: 1 },
    {
      what: 'gives nonsense',
      reply: ({ request }: Parameters<Reply>[0]) => request.socket.end('?\r\n\r\n'),
      requests: 1,
    },
  ])('that $what is followed by the next', async ({ reply, requests }) => {
    const { path, remote, folder } = target();
    const server = await serve(other(reply));
    await download(remote([`${server.base}/first`, `${server.base}/second`]), FAST);
    expectRight({ folder, path, error: undefined });
    expect(server.asked).toEqual([...Array(requests).fill('/first whole'), '/second whole']);
  });

  test.each([429, 500, 503])('that answers %i is asked again', async (code) => {
    const result = await fetchOne([status(code), status(code), send(CONTENT)]);
    expectRight(result);
    expect(result.server.asked).toHaveLength(3);
  });

  test('that is cut for good leaves its bytes to the next', async () => {
    const { path, remote, folder } = target();
    const server = await serve(other([sendThenCut(CONTENT, 1000), sendThenCut(CONTENT, 0)]));
    await download(remote([`${server.base}/first`, `${server.base}/second`]), FAST);
    expectRight({ folder, path, error: undefined });
    expect(server.asked.at(-1)).toBe('/second bytes=1000-');
  });

  test('whose wrong bytes the next one inherits does not spoil that', async () => {
    const { path, remote, folder } = target();
    const server = await serve(other([sendThenCut(OTHER, 1000), status(404)]));
    await download(remote([`${server.base}/first`, `${server.base}/second`]), FAST);
    expectRight({ folder, path, error: undefined });
    expect(server.asked.slice(-2)).toEqual(['/second bytes=1000-', '/second whole']);
  });

  test('after address that fails is named with its reason', async () => {
    const { path, remote, folder } = target();
    const server = await serve({ '/wrong': send(OTHER) });
    const urls = [`${server.base}/none`, `${server.base}/wrong`, 'ftp://example.org/file'];
    const error = (await download(remote(urls), FAST).catch((reason: unknown) => reason)) as DownloadError;
    expectFailure({ path, error }, `${urls[0]}: answered 404 Not Found; ${urls[1]}: sent other content`);
    expect(error.answers).toEqual([
      { url: urls[0], reason: 'answered 404 Not Found' },
      { url: urls[1], reason: 'sent other content (the SHA-256 differs)' },
      { url: urls[2], reason: 'this is not an http or https address' },
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that sends wrong bytes to a partial file is asked once more, not for ever', async () => {
    const result = await fetchOne(send(OTHER), CONTENT.subarray(0, 1000));
    expectFailure(result, 'sent other content');
    expect(result.server.asked).toEqual(['/file bytes=1000-', '/file whole']);
    expect(readdirSync(result.folder)).toEqual([]);
  });

  test.each([
    { what: 'nothing listens', url: 'http://127.0.0.1:1/file', message: 'host 127.0.0.1:1 cannot be reached' },
    { what: 'there is no host', url: 'http://nowhere.invalid/file', message: 'host nowhere.invalid cannot be reached' },
    { what: 'there is no address', url: 'nowhere', message: 'nowhere: this is not an http or https address' },
  ])('where $what says so at once', async ({ url, message }) => {
    const { path, remote, folder } = target();
    // A retry would wait for longer than the test may take.
    const error = await download(remote([url]), { retryDelayMs: 1e8 }).catch((reason: unknown) => reason);
    expectFailure({ path, error: error as Error }, message);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that takes connections but never answers counts as one that cannot be reached', async () => {
    const result = await fetchOne(() => {}, undefined, { stallMs: 100, retryDelayMs: 1e8 });
    expectFailure(result, 'cannot be reached: nothing came for 0.1 s');
  });
});

describe('an abort', () => {
  test('leaves what has come, and the next download goes on with it', async () => {
    const aborter = new AbortController();
    const onProgress = ({ received }: DownloadProgress) => received === HALF && aborter.abort(new Error('enough'));
    const options = { signal: aborter.signal, onProgress };
    const result = await fetchOne([sendThenStall(CONTENT, HALF), send(CONTENT)], undefined, options);
    expect(result.error).toBe(aborter.signal.reason);
    expect(readdirSync(result.folder)).toEqual(['file.bin.partial']);
    await download(result.file, FAST);
    expectRight({ ...result, error: undefined });
    expect(result.server.asked).toEqual(['/file whole', `/file bytes=${HALF}-`]);
  });

  test('also ends the wait between attempts', async () => {
    const aborter = new AbortController();
    const reply: Reply = (exchange) => {
      status(500)(exchange);
      exchange.response.on('close', () => setTimeout(() => aborter.abort(new Error('enough')), 20));
    };
    const result = await fetchOne(reply, undefined, { signal: aborter.signal, retryDelayMs: 1e8 });
    expect(result.error).toBe(aborter.signal.reason);
  });

  test('before the beginning asks nobody', async () => {
    const result = await fetchOne(send(CONTENT), undefined, { signal: AbortSignal.abort(new Error('enough')) });
    expect(result.error!.message).toBe('enough');
    expect(result.server.asked).toEqual([]);
  });
});

describe('a place', () => {
  test('below a file is named', async () => {
    const { folder, remote } = target();
    writeFileSync(join(folder, 'taken'), '');
    const path = join(folder, 'taken/deep/file.bin');
    const file = { ...remote(['http://127.0.0.1:1/file']), path };
    const error = await download(file).catch((reason: unknown) => reason);
    expectFailure({ path, error: error as Error }, 'a part of its path is a file, not a folder');
  });

  test('that is a folder is named', async () => {
    const { path, remote } = target();
    mkdirSync(path);
    const error = (await download(remote(['http://127.0.0.1:1/file'])).catch((reason: unknown) => reason)) as Error;
    expect(error).toBeInstanceOf(DownloadError);
    expect(error.message).toBe(`cannot write ${path}: there is a folder of this name; move it away`);
  });
});
