// Adds to package-lock.json the optional packages of other platforms. npm leaves those out that it could not fetch when it
// wrote the lock file, and then `npm ci` refuses the file. Run it after every `npm install` that changes the lock.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);

const PLATFORM = /-(android|darwin|freebsd|linux|openharmony|win32|wasm32)-([a-z0-9]+)(-([a-z]+))?$/;

/** What npm needs to know to skip a package elsewhere, from a name such as @scope/binding-linux-x64-musl. */
function platform(name) {
  const match = PLATFORM.exec(name);
  if (match === null) throw new Error(`${name}: an optional package that the lock lacks, of no known platform`);
  const [, os, cpu, , libc] = match;
  if (os === 'wasm32') return { cpu: ['wasm32'] };
  const libcs = { musl: ['musl'], gnu: ['glibc'] };
  return { cpu: [cpu], ...(os === 'linux' && libcs[libc] && { libc: libcs[libc] }), os: [os] };
}

const lock = JSON.parse(readFileSync(file, 'utf8'));
const { '': root, ...packages } = lock.packages;
for (const { dev, optionalDependencies = {} } of Object.values(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    packages[`node_modules/${name}`] ??= { version, ...(dev && { dev }), optional: true, ...platform(name) };
  }
}
const sorted = Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = { '': root, ...Object.fromEntries(sorted) };
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
