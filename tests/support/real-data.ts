// Set-up of the integration tests: puts the real data sets into .data, unless EVOZERO_DATA says where they are, and empties
// the tests' cache.
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export default async function setup(): Promise<void> {
  rmSync(path('../../test-results/cache'), { recursive: true, force: true });
  if (process.env.EVOZERO_DATA !== undefined) return;
  const unpacker = path('../../../shared/data/unpack.mjs');
  if (!existsSync(unpacker)) {
    throw new Error(
      'the integration tests need cifar10, mnist, fashion-mnist (`evozero data get` them) and svhn (the published files, or svhn_small_train.bin and svhn_small_test.bin with CIFAR-10 records); EVOZERO_DATA says where they are',
    );
  }
  const { unpack } = (await import(unpacker)) as { unpack: (folder: string) => void };
  unpack(path('../../.data'));
}
