// How the pages are built: two entry pages that share every component, into dist/web; or the playground alone into dist/playground
// (--mode playground). Everything becomes a file beside the page, because the server's Content-Security-Policy allows nothing inline.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { precachePlugin } from './playground/offline/precache-plugin.js';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const BOTH = {
  root: path('.'),
  outDir: path('../dist/web'),
  playground: 'playground/',
  input: { dashboard: path('index.html'), playground: path('playground/index.html') },
};
const PLAYGROUND = {
  root: path('playground'),
  outDir: path('../dist/playground'),
  playground: '',
  input: { playground: path('playground/index.html') },
};

export default defineConfig(({ mode }) => {
  const { root, outDir, playground, input } = mode === 'playground' ? PLAYGROUND : BOTH;
  return {
    root,
    // The pages work below any path, and the playground from any static host.
    base: './',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    worker: { format: 'es' },
    plugins: [precachePlugin(playground)],
    build: {
      outDir,
      emptyOutDir: true,
      // The first browsers with light-dark().
      target: ['chrome123', 'firefox120', 'safari17.5'],
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input },
    },
  };
});
