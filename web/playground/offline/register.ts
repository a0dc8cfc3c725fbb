// Makes the page work without a network once it has been loaded. Must not know what is on the page.

/** Only where service workers are allowed; from a file the page needs no network anyway. */
export function registerOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !/^https?:$/.test(location.protocol)) return;
  navigator.serviceWorker.register(new URL('./service-worker.js', document.baseURI)).catch(() => {
    // Without it everything works, but for being offline: a private window may forbid it.
  });
}
