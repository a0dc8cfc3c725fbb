#!/usr/bin/env node
// The command: a shim over dist/. In a clone it first installs and compiles what is missing or out of date.
import { existsSync } from 'node:fs';

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`evozero: needs Node.js 20 or newer, and this is ${process.version}`);
  process.exit(1);
}
if (existsSync(new URL('../src', import.meta.url))) {
  const { prepare } = await import('../scripts/setup.js');
  prepare();
}
const { main } = await import('../dist/cli/main.js');
await main(process.argv);
