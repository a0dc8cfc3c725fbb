// Answers for the page without a network: keeps every file of the build, and gives those before it asks anybody. The list of files and
// their version are written into it by precache-plugin.ts. Must not know what the files are.
const FILES = self.__FILES__;
const CACHE = `evozero-playground-${self.__VERSION__}`;

const addressOf = (file) => new URL(file, self.registration.scope).href;

self.addEventListener('install', (event) => {
  const keep = async () => {
    const cache = await caches.open(CACHE);
    // Past the browser's own cache, which may hold files of another version.
    await cache.addAll(FILES.map((file) => new Request(addressOf(file), { cache: 'reload' })));
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener('activate', (event) => {
  const forget = async () => {
    const others = (await caches.keys()).filter((name) => name.startsWith('evozero-playground-') && name !== CACHE);
    await Promise.all(others.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(forget());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  const answer = async () => {
    const cache = await caches.open(CACHE);
    // The page is also asked for by its directory.
    const wanted = request.mode === 'navigate' ? addressOf('index.html') : request;
    const kept = await cache.match(wanted, { ignoreSearch: true, ignoreVary: true });
    return kept ?? fetch(request);
  };
  event.respondWith(answer());
});
