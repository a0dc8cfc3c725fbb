// The page's end of the worker for single programs: one worker, started when it is first needed. Must not know views.
import { connectWorker, type WorkerCalls } from '../connection/worker-calls.js';
import type { LabHandlers } from './lab-worker.js';

let calls: WorkerCalls<LabHandlers> | undefined;

export function lab(): WorkerCalls<LabHandlers> {
  calls ??= connectWorker<LabHandlers>(
    new Worker(new URL('./lab-worker.ts', import.meta.url), { type: 'module', name: 'programs' }),
  );
  return calls;
}
