// The list of runs, kept up to date by looking only at what has changed: a few stats for each run, and its log from where it was read so far.
// Must not know requests, nor who looks.
import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RunList, RunSummary } from './api.js';
import { type FoundRun, findRuns } from './find-runs.js';
import { NOTHING_SCANNED, type Scan, scanMore } from './scan-events.js';
import { signatureOf, summarize } from './summarize.js';

interface Entry {
  run: FoundRun;
  signature: string;
  scan: Scan;
  summary: RunSummary;
}

/** What somebody knows of a run beside its files. */
export type Remark = (summary: RunSummary) => RunSummary;

/** Milliseconds for which a list is new enough for those who ask. */
const FRESH = 400;
/** Milliseconds of work after which others have their turn. */
const TURN = 15;

export class Catalog {
  readonly root: string;
  private readonly remark: Remark;
  private entries = new Map<string, Entry>();
  private isCut = false;
  private refreshedAt = Number.NEGATIVE_INFINITY;
  private refreshing: Promise<void> | undefined;

  constructor(root: string, remark: Remark) {
    this.root = realpathSync(root);
    this.remark = remark;
  }

  /** The runs as they are now, or were a moment ago. */
  async list(): Promise<RunList> {
    await this.refresh();
    return { runs: [...this.entries.values()].map(({ summary }) => this.remark(summary)), isCut: this.isCut };
  }

  /** A run that was listed, if it is still there. */
  async find(id: string): Promise<{ readonly run: FoundRun; readonly summary: RunSummary } | undefined> {
    await this.refresh();
    const entry = this.entries.get(id);
    if (entry === undefined || !isInPlace(entry.run)) return undefined;
    return { run: entry.run, summary: this.remark(entry.summary) };
  }

  /** Makes the next question look again at once: somebody has changed something. */
  expire(): void {
    this.refreshedAt = Number.NEGATIVE_INFINITY;
  }

  private async refresh(): Promise<void> {
    if (performance.now() - this.refreshedAt < FRESH) return;
    this.refreshing ??= this.look().finally(() => {
      this.refreshing = undefined;
    });
    await this.refreshing;
  }

  private async look(): Promise<void> {
    const startedAt = performance.now();
    const { runs, isCut } = findRuns(this.root, basename(this.root));
    const entries = new Map<string, Entry>();
    let turnAt = performance.now();
    for (const run of runs) {
      if (performance.now() - turnAt > TURN) {
        await nextTurn();
        turnAt = performance.now();
      }
      entries.set(run.id, await this.lookAt(run));
    }
    this.entries = entries;
    this.isCut = isCut;
    this.refreshedAt = startedAt;
  }

  private async lookAt(run: FoundRun): Promise<Entry> {
    const known = this.entries.get(run.id);
    const signature = signatureOf(run);
    // A running process may die without changing a file.
    const isSame = known !== undefined && known.signature === signature && known.summary.status !== 'running';
    if (isSame) return known;
    let scan = known?.scan ?? NOTHING_SCANNED;
    const summary = await summarize(run, async () => {
      scan = await scanToEnd(run.directory, scan);
      return scan;
    });
    return { run, signature, scan, summary };
  }
}

async function scanToEnd(directory: string, from: Scan): Promise<Scan> {
  for (let scan = from; ; await nextTurn()) {
    const next = scanMore(directory, scan);
    if (next === scan) return scan;
    scan = next;
  }
}

/** Whether a directory is still where it was found, and no link has taken its place or that of a folder above it. */
function isInPlace({ directory }: FoundRun): boolean {
  try {
    return realpathSync(directory) === directory;
  } catch {
    return false;
  }
}
