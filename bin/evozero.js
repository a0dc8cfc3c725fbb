#!/usr/bin/env node
// The command: a shim over dist/. In a clone it first installs and compiles what is missing or out of date; it
// builds the pages only for the command that serves them, so that others start sooner.
import { existsSync } from 'node:fs';

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`evozero: needs Node.js 20 or newer, and this is ${process.version}`);
  process.exit(1);
}
if (existsSync(new URL('../src', import.meta.url))) {
  const { prepare, preparePages } = await import('../scripts/setup.js');
  prepare();
  if (process.argv.slice(2).find((word) => !word.startsWith('-')) === 'dashboard') preparePages();
}
const { main } = await import('../dist/cli/main.js');
await main(process.argv);
