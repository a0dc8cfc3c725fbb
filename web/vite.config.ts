// How the pages are built: two entry pages that share every component, into dist/web. Everything becomes a file beside the page,
// because the server's Content-Security-Policy allows nothing inline.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  root: path('.'),
  // The pages work below any path, and the playground from any static host.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: {
    outDir: path('../dist/web'),
    emptyOutDir: true,
    // The first browsers with light-dark().
    target: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { dashboard: path('index.html'), playground: path('playground/index.html') } },
  },
});
