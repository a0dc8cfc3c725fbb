// Runs some of the islands of an experiment, one after the other, for whoever asks: a thread has one, and a page. What it is asked and
// what it answers can be sent as messages. Must not know where it runs, nor of the islands elsewhere.
import type { Task } from '../engine/engine.js';
import type { EvaluationCounts } from '../evaluate/candidate-evaluator.js';
import { type Famous, HallOfFame } from '../evolve/hall-of-fame.js';
import type { Config } from './config.js';
import type { EndReason } from './events.js';
import type { Allowance, IslandStatus, NewBest } from './field.js';
import { HALL_SIZE } from './hall-size.js';
import { Island, type SavedIsland, type Upload } from './island.js';
import { statusOf } from './local-field.js';

export interface IslandPlan {
  readonly island: number;
  readonly group: number;
  readonly allowance: Allowance;
}

export type HostRequest =
  | {
      readonly type: 'begin';
      readonly experiment: number;
      readonly islands: readonly IslandPlan[];
      /** By group. */
      readonly configs: readonly Config[];
      /** By group; those without an island here are left out. */
      readonly tasks: readonly (readonly Task[] | undefined)[];
      readonly saved?: readonly SavedIsland[];
    }
  /** Goes on until every island has done so much work; `pool` has come from all islands, if there is news. */
  | { readonly type: 'advance'; readonly work: number; readonly pool: readonly Upload[] | undefined }
  | { readonly type: 'save' }
  | { readonly type: 'end' };

export interface IslandReport {
  readonly status: IslandStatus;
  readonly counts: EvaluationCounts;
  readonly rescued: number;
  readonly hurdles: Float64Array;
  readonly sinceBest: number;
  /** Since the last report. */
  readonly bests: readonly NewBest[];
  readonly famous: readonly Famous[];
  readonly ended: EndReason | undefined;
  readonly upload: Upload | undefined;
}

export interface HostReply {
  readonly reports: readonly IslandReport[];
  readonly saved: readonly SavedIsland[];
}

const NOTHING: HostReply = { reports: [], saved: [] };

/** Whoever answers requests, at once or later, one after the other. */
export interface Host {
  call(request: HostRequest): HostReply | Promise<HostReply>;
  dispose(): void;
}

interface Inhabited {
  readonly island: Island;
  readonly hall: HallOfFame;
  known: readonly Famous[];
  /** Found before it was saved; those who saved it may not have heard of it. */
  unreported: readonly NewBest[];
}

export class IslandHost implements Host {
  private islands: Inhabited[] = [];

  call(request: HostRequest): HostReply {
    switch (request.type) {
      case 'begin':
        this.begin(request);
        return NOTHING;
      case 'advance':
        return { reports: this.islands.map((each) => advance(each, request.work, request.pool)), saved: [] };
      case 'save':
        return { reports: [], saved: this.islands.map(({ island }) => island.save()) };
      case 'end':
        this.dispose();
        return NOTHING;
    }
  }

  dispose(): void {
    for (const { island } of this.islands) island.dispose();
    this.islands = [];
  }

  private begin({ experiment, islands, configs, tasks, saved }: HostRequest & { type: 'begin' }): void {
    this.dispose();
    for (const [k, { island: number, group, allowance }] of islands.entries()) {
      const numbers = { experiment, island: number };
      const island = new Island({ config: configs[group]!, tasks: tasks[group]!, numbers, group, allowance });
      if (saved !== undefined) island.restore(saved[k]!);
      const unreported = island.best === undefined ? [] : [island.best];
      this.islands.push({ island, hall: new HallOfFame(HALL_SIZE), known: [], unreported });
    }
  }
}

function advance(inhabited: Inhabited, work: number, pool: readonly Upload[] | undefined): IslandReport {
  const { island, hall, known, unreported } = inhabited;
  const { experiment } = island;
  if (pool !== undefined) island.receive(pool);
  const { bests, ended } = island.advance({ algorithms: Number.POSITIVE_INFINITY, work }, hall, false);
  const famous = hall.entries.filter((entry) => !known.includes(entry));
  inhabited.known = [...hall.entries];
  inhabited.unreported = [];
  const { upload } = island;
  island.upload = undefined;
  return {
    status: statusOf(island),
    counts: { ...experiment.evaluator.counts },
    rescued: experiment.rescued,
    hurdles: Float64Array.from(experiment.hurdles),
    sinceBest: island.sinceBest,
    bests: [...unreported, ...bests],
    famous,
    ended,
    upload,
  };
}
