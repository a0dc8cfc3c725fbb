// What a thread of a judge runs. The other end is thread-judge.ts.
import { workerData } from 'node:worker_threads';
import { type JudgeOptions, PartRunner } from '../analysis/judge.js';
import { serveRequests } from '../threads/serve-requests.js';
import type { PartReply, PartRequest } from './thread-judge.js';

const runner = new PartRunner(workerData as JudgeOptions);

serveRequests(({ part, tasks, programs }: PartRequest): PartReply => {
  const verdicts = programs.map(({ program, maxTrainSteps }) => {
    return runner.run(part, () => tasks!, program, maxTrainSteps);
  });
  return { verdicts, ready: runner.names() };
});
