// The answer with everything about a run but its programs and its lines. Must not know requests.
import { join } from 'node:path';
import type { ExportLanguage } from '../analysis/export/export-program.js';
import { makeCounts } from '../experiment/counts.js';
import type { MigrationEvent, ProgressEvent, RunCounts } from '../experiment/events.js';
import { islandCount } from '../experiment/groups.js';
import { reproducingCommand } from '../pages/settings-table.js';
import { FILES } from '../runs/run-files.js';
import {
  type Ablation,
  DOWNLOADS,
  type DownloadFile,
  type DownloadName,
  type IslandState,
  type JudgementRates,
  LIMITS,
  type RunDetail,
  type RunSummary,
} from './api.js';
import { finite, finiteOr } from './numbers.js';
import type { RunSource } from './run-source.js';
import { readPlainFile, statOf } from './safe-file.js';

// --- Numbers -----------------------------------------------------------------------------------------------------------

export function countsOf(event: ProgressEvent): RunCounts {
  return { algorithms: finiteOr(event.algorithms, 0), ...makeCounts((name) => finiteOr(event[name], 0)) };
}

function ratesOf({
  algorithms,
  overBudget,
  canonicalHits,
  fingerprintHits,
  cut,
  evaluated,
}: RunCounts): JudgementRates {
  const part = (count: number) => (algorithms > 0 ? count / algorithms : 0);
  return {
    overBudget: part(overBudget),
    canonicalHits: part(canonicalHits),
    fingerprintHits: part(fingerprintHits),
    cut: part(cut),
    evaluated: part(evaluated),
  };
}

export function hurdlesOf({ hurdles }: ProgressEvent): (number | null)[] {
  return Array.isArray(hurdles) ? hurdles.map(finite) : [];
}

export function islandOf(event: MigrationEvent): IslandState {
  const { island, algorithms, best, mean, migrations, sent, received, judged, refused } = event;
  return { island, algorithms, best: finite(best), mean: finite(mean), migrations, sent, received, judged, refused };
}

// --- Files -------------------------------------------------------------------------------------------------------------

/** What is written when it is asked for. */
export const EXPORTS: Partial<Record<DownloadName, ExportLanguage>> = {
  'best.ts': 'ts',
  'best.js': 'js',
  'best.py': 'python',
};

function sizeOf(directory: string, file: string): number | undefined {
  const stat = statOf(join(directory, file));
  return stat?.isFile() ? stat.size : undefined;
}

function filesOf(directory: string): DownloadFile[] {
  const hasBest = sizeOf(directory, FILES.best) !== undefined;
  return DOWNLOADS.map((name): DownloadFile | undefined => {
    if (EXPORTS[name] !== undefined) return hasBest ? { name, bytes: null } : undefined;
    const bytes = sizeOf(directory, name);
    return bytes === undefined ? undefined : { name, bytes };
  }).filter((file) => file !== undefined);
}

const ABLATION_FILE = 'ablation.json';
const MAX_ABLATION_BYTES = 4 << 20;
const MAX_SECTIONS = 100;

interface AblationFile {
  readonly intact?: { readonly mean?: unknown };
  readonly sections?: readonly Partial<Record<string, unknown>>[];
}

/** What somebody has saved of `evozero ablate --json`; nothing if it is something else. */
function readAblation(directory: string): Ablation | null {
  const text = readPlainFile(join(directory, ABLATION_FILE), MAX_ABLATION_BYTES)?.toString('utf8');
  if (text === undefined) return null;
  let file: AblationFile | null;
  try {
    file = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(file?.sections)) return null;
  const sections = (file.sections as Record<string, unknown>[]).slice(0, MAX_SECTIONS).map((section) => {
    const [low, high] = Array.isArray(section.interval) ? section.interval.map(finite) : [];
    return {
      label: String(section.label),
      technique: typeof section.technique === 'string' ? section.technique : null,
      loss: finite(section.loss),
      interval: typeof low === 'number' && typeof high === 'number' ? ([low, high] as const) : null,
      isSignificant: section.isSignificant === true,
    };
  });
  return { intact: finite(file?.intact?.mean), sections };
}

// --- All of it ---------------------------------------------------------------------------------------------------------

export function answerDetail(source: RunSource): RunDetail {
  const { run, summary, config, version, result, index } = source;
  const { told } = index;
  const { selection, latest, final } = told;
  const counts = result?.counts ?? (latest && countsOf(latest)) ?? null;
  const search = result?.searchFitness ?? selection?.searchFitness ?? told.experiments.get(told.experiment)?.best;
  const fitnesses = final?.fitnesses;
  return {
    summary,
    config,
    version,
    command: reproducingCommand(config),
    experiment: told.experiment,
    selectedExperiment: selection?.experiment ?? null,
    reason: result?.reason ?? null,
    scores: {
      search: finite(search),
      select: finite(result?.selectFitness ?? selection?.selectFitness),
      final: finite(result?.finalFitness),
      finalFitnesses: Array.isArray(fitnesses) ? fitnesses.filter(Number.isFinite).slice(0, LIMITS.mostPoints) : [],
    },
    cpuSeconds: finite(result?.cpuSeconds),
    counts,
    rates: counts && ratesOf(counts),
    hurdles: latest === undefined ? [] : hurdlesOf(latest),
    islands: [...told.islands.values()].map(islandOf).sort((a, b) => a.island - b.island),
    islandCount: islandCount(config),
    ablation: readAblation(run.directory),
    files: filesOf(run.directory),
    readPart: index.readPart,
  };
}

/** Of a run whose files cannot be read. */
export function answerUnreadable(summary: RunSummary): RunDetail {
  return {
    summary,
    config: null,
    version: null,
    command: null,
    experiment: 0,
    selectedExperiment: null,
    reason: null,
    scores: { search: null, select: null, final: null, finalFitnesses: [] },
    cpuSeconds: null,
    counts: null,
    rates: null,
    hurdles: [],
    islands: [],
    islandCount: 0,
    ablation: null,
    files: [],
    readPart: 1,
  };
}
