// What campaigns have in common: cases with a name that hold or fail, a table at the end, and a file that keeps it. Must not know what
// is tried.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export class Campaign {
  constructor(name) {
    this.name = name;
    this.cases = [];
    this.startedAt = performance.now();
  }

  /** Tries one case: what it returns is a note, and what it throws is the reason why it failed. */
  async try(what, work) {
    const startedAt = performance.now();
    const entry = { what, held: true, note: '', seconds: 0 };
    try {
      entry.note = String((await work()) ?? '');
    } catch (error) {
      entry.held = false;
      entry.note = String(error?.message ?? error)
        .split('\n')
        .slice(0, 3)
        .join(' ');
    }
    entry.seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    this.cases.push(entry);
    console.log(`${entry.held ? 'ok    ' : 'FAILED'}  ${what}  ${entry.note} (${entry.seconds} s)`);
    return entry.held;
  }

  /** Says how it ended, and keeps it if there is a file to keep it in. */
  end(facts = {}, file = undefined) {
    const held = this.cases.filter((one) => one.held).length;
    const failed = this.cases.length - held;
    const summary = {
      campaign: this.name,
      date: new Date().toISOString().slice(0, 10),
      machine: `${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.versions.node}`,
      seconds: Math.round((performance.now() - this.startedAt) / 1000),
      held,
      failed,
      ...facts,
    };
    if (file !== undefined) {
      const path = join(root, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${JSON.stringify({ ...summary, cases: this.cases }, null, 2)}\n`);
    }
    console.log(`${this.name}: ${held} held, ${failed} failed, ${summary.seconds} s`);
    process.exitCode = failed === 0 ? 0 : 1;
    return summary;
  }
}

export function check(condition, message) {
  if (!condition) throw new Error(message);
}
