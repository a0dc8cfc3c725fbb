// At the end of a build, writes the service worker of the playground with the list of all files that its page may need. A new build has
// another version, so that old files are forgotten. Must not know what the files are.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const SOURCE = fileURLToPath(new URL('./service-worker.js', import.meta.url));

/** Files of the dashboard alone; the playground never asks for these. */
const OTHERS = /^(index\.html$|assets\/dashboard)/;

/** @param folder of the page in the build, as 'playground/'; '' if it is the only page */
export function precachePlugin(folder: string): Plugin {
  return {
    name: 'evozero-precache',
    apply: 'build',
    // After the pages are there.
    enforce: 'post',
    generateBundle(_, bundle) {
      const names = Object.keys(bundle).filter(
        (name) => !(folder !== '' && OTHERS.test(name)) && !name.endsWith('.map'),
      );
      const hash = createHash('sha256');
      for (const name of names.sort()) {
        const file = bundle[name]!;
        hash.update(name).update(file.type === 'chunk' ? file.code : file.source);
      }
      const files = names.map((name) => posix.relative(folder, name));
      const source = readFileSync(SOURCE, 'utf8')
        .replace('self.__FILES__', JSON.stringify(files))
        .replace('self.__VERSION__', JSON.stringify(hash.digest('hex').slice(0, 16)));
      this.emitFile({ type: 'asset', fileName: `${folder}service-worker.js`, source });
    },
  };
}
