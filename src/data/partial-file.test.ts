// What downloads do to each other's files: processes that are killed, run at once, or fill the disk. The processes are real, and
// so is the full disk, which needs the right to mount one.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { compiled } from '../../tests/support/cli.js';
import { type Reply, send, sendThenStall, serve } from '../../tests/support/file-server.js';
import { mountSmallDisk, temporaryFolder } from '../../tests/support/folders.js';
import { CONTENT, sha256, target } from '../../tests/support/remote-file.js';
import { download, type RemoteFile } from './download.js';
import { DownloadError } from './download-error.js';
import { PartialFile } from './partial-file.js';

const HALF = CONTENT.length / 2;
const HOST = hostname().replace(/[^\w-]/g, '_');
/** Above what Linux gives to processes. */
const DEAD_PID = 2 ** 22 + 1;

const scripts = temporaryFolder();

beforeAll(() => {
  writeFileSync(
    join(scripts, 'main.mjs'),
    `import { download } from '${compiled('data/download.js')}';
    const onProgress = ({ received }) => process.stdout.write(received + '\\n');
    await download(JSON.parse(process.argv[2]), { onProgress });`,
  );
});

function downloadInProcess(file: RemoteFile): ChildProcess {
  const child = spawn(process.execPath, [join(scripts, 'main.mjs'), JSON.stringify(file)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Waits until the process tells that it has this many bytes. */
async function hasReceived(child: ChildProcess, bytes: number): Promise<void> {
  let told = '';
  for await (const text of child.stdout!.iterator({ destroyOnReturn: false })) {
    told += text;
    if (told.split('\n').includes(String(bytes))) return;
  }
  throw new Error(`the process ended, and told ${told}`);
}

function expectRight({ folder, path }: { folder: string; path: string }): void {
  expect(readFileSync(path).equals(CONTENT)).toBe(true);
  expect(readdirSync(folder)).toEqual(['file.bin']);
}

describe('a killed process', () => {
  test('leaves a file that the next one goes on with', async () => {
    const place = target();
    const server = await serve({ '/file': [sendThenStall(CONTENT, HALF), send(CONTENT)] });
    const file = place.remote([`${server.base}/file`]);
    const child = downloadInProcess(file);
    await hasReceived(child, HALF);
    expect(readdirSync(place.folder)).toEqual([`file.bin.partial.${HOST}.${child.pid}.0.0`]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await download(file);
    expectRight(place);
    expect(server.asked).toEqual(['/file whole', `/file bytes=${HALF}-`]);
  });

  test('is told from one that still runs', async () => {
    const place = target();
    const server = await serve({ '/file': [sendThenStall(CONTENT, HALF), send(CONTENT)] });
    const file = place.remote([`${server.base}/file`]);
    const child = downloadInProcess(file);
    await hasReceived(child, HALF);
    await download(file);
    expect(server.asked).toEqual(['/file whole', '/file whole']);
    expect(readFileSync(place.path).equals(CONTENT)).toBe(true);
    expect(readdirSync(place.folder)).toEqual(['file.bin', `file.bin.partial.${HOST}.${child.pid}.0.0`]);
  });
});

describe('processes that download the same file at once', () => {
  test('all get it', async () => {
    const place = target();
    const waiting: Parameters<Reply>[0][] = [];
    // Nobody gets the end before all have the beginning, so that they write at the same time.
    const together: Reply = (exchange) => {
      exchange.response.writeHead(200, { 'content-length': CONTENT.length });
      exchange.response.write(CONTENT.subarray(0, HALF));
      waiting.push(exchange);
      if (waiting.length === 3) for (const { response } of waiting) response.end(CONTENT.subarray(HALF));
    };
    const server = await serve({ '/file': together });
    const file = place.remote([`${server.base}/file`]);
    const children = [downloadInProcess(file), downloadInProcess(file), downloadInProcess(file)];
    const codes = await Promise.all(
      children.map(async (child) => (await once(child.stdout!.resume() && child, 'exit'))[0]),
    );
    expect(codes).toEqual([0, 0, 0]);
    expectRight(place);
  });

  test('and so do downloads of one process', async () => {
    const place = target();
    const server = await serve({ '/file': send(CONTENT) });
    const file = place.remote([`${server.base}/file`]);
    await Promise.all([download(file), download(file), download(file)]);
    expectRight(place);
  });
});

describe('a leftover', () => {
  const begin = CONTENT.subarray(0, 1000);

  test.each([
    { of: 'a dead process', name: `${HOST}.${DEAD_PID}.0.7` },
    { of: 'an earlier process of the same number', name: `${HOST}.${process.pid}.${threadId}.99` },
  ])('of $of is gone on with', async ({ name }) => {
    const place = target();
    writeFileSync(`${place.path}.partial.${name}`, begin);
    const server = await serve({ '/file': send(CONTENT) });
    await download(place.remote([`${server.base}/file`]));
    expect(server.asked).toEqual(['/file bytes=1000-']);
    expectRight(place);
  });

  test('of another machine is gone on with when nothing was written for long', async () => {
    const place = target();
    const leftover = `${place.path}.partial.not-${HOST}.${DEAD_PID}.0.0`;
    writeFileSync(leftover, begin);
    await (await PartialFile.open(place.path)).discard();
    expect(readdirSync(place.folder)).toHaveLength(1);
    utimesSync(leftover, 1, 1);
    const part = await PartialFile.open(place.path);
    expect(part.size).toBe(1000);
    await part.discard();
    expect(readdirSync(place.folder)).toEqual([]);
  });

  test('that comes while another is written is gone when that is published', async () => {
    const place = target();
    const part = await PartialFile.open(place.path);
    await part.append(CONTENT);
    writeFileSync(`${place.path}.partial`, begin);
    expect(await part.publish(sha256(CONTENT))).toBe(true);
    await part.release();
    expectRight(place);
  });

  test('of a process that may not be asked is left to it', async () => {
    const place = target();
    writeFileSync(`${place.path}.partial.${HOST}.${DEAD_PID}.0.0`, begin);
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    });
    onTestFinished(() => kill.mockRestore());
    const part = await PartialFile.open(place.path);
    expect(part.size).toBe(0);
    await part.discard();
  });

  test('of another thread of this process is left to it', async () => {
    const place = target();
    mkdirSync(place.folder, { recursive: true });
    const claim = `file.bin.partial.${HOST}.${process.pid}.${threadId + 1}.0`;
    writeFileSync(join(place.folder, claim), 'begin');
    const part = await PartialFile.open(place.path);
    expect(part.size).toBe(0);
    await part.discard();
    expect(readdirSync(place.folder)).toEqual([claim]);
  });

  test('that is not the largest is removed; what others have named is not', async () => {
    const place = target();
    writeFileSync(`${place.path}.partial`, begin.subarray(0, 10));
    writeFileSync(`${place.path}.partial.${HOST}.${DEAD_PID}.0.0`, begin);
    writeFileSync(`${place.path}.partial.mine`, 'mine');
    const part = await PartialFile.open(place.path);
    expect(part.size).toBe(1000);
    await part.release();
    expect(readdirSync(place.folder)).toEqual(['file.bin.partial', 'file.bin.partial.mine']);
    expect(statSync(`${place.path}.partial`).size).toBe(1000);
  });
});

describe('a full disk', () => {
  test('is named, and what has come is gone on with when there is room', async () => {
    const { remote } = target();
    const disk = mountSmallDisk('256k');
    const server = await serve({ '/file': send(CONTENT) });
    const file = { ...remote([`${server.base}/file`]), path: join(disk, 'file.bin') };
    const error = await download(file).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DownloadError);
    expect((error as Error).message).toBe(
      `cannot write ${file.path}: no space left; make room and run this again, what has come so far is kept`,
    );
    expect(readdirSync(disk)).toEqual(['file.bin.partial']);
    const { size } = statSync(`${file.path}.partial`);
    expect(size).toBeGreaterThan(0);
    execFileSync('mount', ['-o', 'remount,size=1m', disk]);
    await download(file);
    expectRight({ folder: disk, path: file.path });
    expect(server.asked).toEqual(['/file whole', `/file bytes=${size}-`]);
  });
});

test('content is on the disk before it gets its name', async () => {
  const place = target();
  const probe = await open(fileURLToPath(import.meta.url));
  const sync = vi.spyOn(Object.getPrototypeOf(probe), 'sync').mockRejectedValue(new Error('no sync'));
  onTestFinished(() => sync.mockRestore());
  await probe.close();
  const part = await PartialFile.open(place.path);
  await part.append(CONTENT);
  await expect(part.publish(sha256(CONTENT))).rejects.toThrow('no sync');
  await part.discard();
  expect(readdirSync(place.folder)).toEqual([]);
});
