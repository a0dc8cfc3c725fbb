// Stops and resumes a run. Only on the page if the server allows it.
import { useState } from 'preact/hooks';
import { type ResumeRequest, ROUTES, type RunSummary } from '../../src/server/api.js';
import { Button, Notice } from '../shared/controls.js';
import { postJson } from './api-client.js';

/** A finished run only goes on if it may do more than it has done. */
function resumeRequest(run: RunSummary, minutes: string): ResumeRequest {
  return run.status === 'finished' && minutes !== '' ? { minutes: Number(minutes) } : {};
}

export function RunControls({ run }: { readonly run: RunSummary }) {
  const [isWaiting, setWaiting] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [minutes, setMinutes] = useState('');
  const post = async (path: string, body: unknown) => {
    setWaiting(true);
    setProblem(undefined);
    try {
      await postJson(path, body);
    } catch (error) {
      setProblem((error as Error).message);
    }
    setWaiting(false);
  };
  const isFinished = run.status === 'finished';
  return (
    <div class="controls">
      {run.status === 'running' && (
        <Button
          kind="danger"
          isDisabled={isWaiting || run.isStopping === true}
          onClick={() => post(ROUTES.stop(run.id), {})}
        >
          {run.isStopping ? 'Stopping …' : 'Stop'}
        </Button>
      )}
      {isFinished && (
        <label class="soft">
          Minutes in all{' '}
          <input
            type="number"
            min="0"
            step="any"
            class="short"
            value={minutes}
            onInput={(event) => setMinutes(event.currentTarget.value)}
          />
        </label>
      )}
      {run.status !== 'running' && run.status !== 'corrupt' && (
        <Button
          kind="primary"
          isDisabled={isWaiting || (isFinished && !(Number(minutes) > 0))}
          onClick={() => post(ROUTES.resume(run.id), resumeRequest(run, minutes))}
        >
          Resume
        </Button>
      )}
      {problem !== undefined && (
        <Notice tone="bad" isAlert>
          {problem}
        </Notice>
      )}
    </div>
  );
}
