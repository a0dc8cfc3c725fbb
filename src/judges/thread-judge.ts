// A judge whose evaluations run in threads, one part of the tasks at a time, wherever there is a free one. What is answered does not
// depend on the number of threads. Tasks lie in memory that all threads share. Must not know why programs are measured.
import { type Judge, type JudgeOptions, keepTasks, type Trial, type Verdict } from '../analysis/judge.js';
import type { Task } from '../engine/engine.js';
import { splitTasks } from '../evaluate/split-tasks.js';
import type { Program } from '../program/program.js';
import type { OpenedTasks } from '../tasks/open-tasks.js';
import { shareTask } from '../threads/share-tasks.js';
import { Thread } from '../threads/thread.js';

/** What a thread is asked: programs on the tasks of one part. */
export interface PartRequest {
  readonly part: string;
  /** The tasks, if the thread does not have them. */
  readonly tasks: readonly Task[] | undefined;
  readonly programs: readonly { readonly program: Program; readonly maxTrainSteps: number | undefined }[];
}

export interface PartReply {
  readonly verdicts: readonly Verdict[];
  /** The parts that the thread has now. */
  readonly ready: readonly string[];
}

interface Helper {
  readonly thread: Thread<PartRequest, PartReply>;
  /** The parts that it has. */
  ready: ReadonlySet<string>;
}

/** Programs on one part of the tasks. */
interface Job {
  readonly part: readonly number[];
  readonly indices: readonly number[];
}

/** Programs in one request, at most: evaluations may be shorter than a message takes. */
const PROGRAMS_AT_ONCE = 16;
/** Training steps in one request, at least: about a millisecond's work. */
const STEPS_AT_ONCE = 20_000;

export class ThreadJudge implements Judge {
  readonly loss;
  readonly features;
  readonly count;
  readonly trainSteps;
  private readonly tasks: OpenedTasks;
  private readonly taskAt: (index: number) => Promise<Task>;
  private readonly helpers: readonly Helper[];

  /** Tasks that are opened with shared memory are not copied. */
  constructor(tasks: OpenedTasks, options: JudgeOptions, threads: number) {
    this.loss = tasks.loss;
    this.features = tasks.features;
    this.count = tasks.count;
    this.trainSteps = options.epochs * tasks.trainCount;
    this.tasks = tasks;
    this.taskAt = keepTasks(tasks);
    this.helpers = Array.from({ length: threads }, () => ({
      thread: new Thread<PartRequest, PartReply>(new URL('./judge-thread.js', import.meta.url), options),
      ready: new Set<string>(),
    }));
  }

  async judge(trials: readonly Trial[], onJudged?: (index: number, verdict: Verdict) => void): Promise<Verdict[]> {
    const results = trials.map(({ tasks }) => new Array<Verdict[number]>(tasks.length));
    const missing = trials.map(({ tasks }) => tasks.length);
    let jobs = this.divide(trials);
    const work = async (helper: Helper): Promise<void> => {
      for (;;) {
        // Rather a part that the thread has than the first.
        const own = jobs.findIndex(({ part }) => helper.ready.has(part.join()));
        const [job] = jobs.splice(Math.max(0, own), 1);
        if (job === undefined) return;
        const verdicts = await this.run(helper, job, trials);
        for (const [k, index] of job.indices.entries()) {
          const { tasks } = trials[index]!;
          for (const [place, task] of job.part.entries()) results[index]![tasks.indexOf(task)] = verdicts[k]![place]!;
          missing[index]! -= job.part.length;
          if (missing[index] === 0) onJudged?.(index, results[index]!);
        }
      }
    };
    // One failure ends all: the others would go on for nothing.
    await Promise.all(
      this.helpers.map((helper) =>
        work(helper).catch((error) => {
          jobs = [];
          throw error;
        }),
      ),
    );
    return results;
  }

  /** Trials on the same part of the tasks, several in a job if they are short. */
  private divide(trials: readonly Trial[]): Job[] {
    const parts = new Map<string, { part: readonly number[]; indices: number[] }>();
    for (const [index, { tasks }] of trials.entries()) {
      for (const part of splitTasks(this.tasks, tasks)) {
        const known = parts.get(part.join());
        if (known === undefined) parts.set(part.join(), { part, indices: [index] });
        else known.indices.push(index);
      }
    }
    return [...parts.values()].flatMap(({ part, indices }) => {
      const steps = Math.max(...indices.map((k) => Math.min(this.trainSteps, trials[k]!.maxTrainSteps ?? Infinity)));
      const enough = Math.ceil(STEPS_AT_ONCE / Math.max(1, steps * part.length));
      const size = Math.min(PROGRAMS_AT_ONCE, enough, Math.ceil(indices.length / this.helpers.length));
      return Array.from({ length: Math.ceil(indices.length / size) }, (_, k) => ({
        part,
        indices: indices.slice(k * size, (k + 1) * size),
      }));
    });
  }

  private async run(helper: Helper, { part, indices }: Job, trials: readonly Trial[]): Promise<readonly Verdict[]> {
    const name = part.join();
    const tasks = helper.ready.has(name)
      ? undefined
      : await Promise.all(part.map(async (index) => shareTask(await this.taskAt(index))));
    const programs = indices.map((k) => ({
      program: trials[k]!.program,
      maxTrainSteps: trials[k]!.maxTrainSteps,
    }));
    const reply = await helper.thread.call({ part: name, tasks, programs });
    helper.ready = new Set(reply.ready);
    return reply.verdicts;
  }

  dispose(): void {
    for (const { thread } of this.helpers) thread.dispose();
  }
}
