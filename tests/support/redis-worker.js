// A worker in a process of its own, for tests that kill it: claims islands, prints them, and works on each until it is told to
// stop. Arguments: the compiled src/islands/redis.js, the address of the server.
const [, , module, url] = process.argv;
const { connectRedis } = await import(module);

const server = await connectRedis(url);
const controller = new AbortController();
process.on('SIGTERM', () => controller.abort());

async function run({ experiment, island }, signal) {
  const claim = await (await server.openExperiment(experiment)).claim(island);
  console.log(`claimed ${island}`);
  const save = { checkpoint: Buffer.from(String(process.pid)), reports: [], counts: { algorithms: 1, best: null } };
  await claim.save({ ...save, reports: [`saved by ${process.pid}`] });
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  await claim.save({ ...save, reports: [`left by ${process.pid}`] });
}

await server.serve({
  format: 1,
  evozero: '0.1.0',
  slots: 2,
  signal: controller.signal,
  run,
  warn: (text) => console.error(text),
  timing: { lock: 1000, stalled: 500, retry: 10 },
});
await server.close();
