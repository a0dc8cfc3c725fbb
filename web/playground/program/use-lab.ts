// What the worker for single programs answers, for views: asked again whenever the request is another one. Must not know what is asked.
import { useEffect, useState } from 'preact/hooks';
import type { ReplyOf, RequestOf } from '../connection/worker-calls.js';
import { lab } from './lab-client.js';
import type { LabHandlers } from './lab-worker.js';

/** The newest answer; until there is another, that to the request before. */
export function useLab<K extends keyof LabHandlers & string>(
  name: K,
  request: RequestOf<LabHandlers, K>,
): ReplyOf<LabHandlers, K> | undefined {
  const [answer, setAnswer] = useState<ReplyOf<LabHandlers, K> | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    void lab()
      .call(name, request)
      .then((found) => {
        if (isCurrent) setAnswer(() => found);
      });
    return () => {
      isCurrent = false;
    };
  }, [name, JSON.stringify(request)]);
  return answer;
}
