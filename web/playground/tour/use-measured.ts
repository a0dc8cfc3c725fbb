// The fitness of a program in a demonstration, measured again whenever its text changes.
import { useEffect, useState } from 'preact/hooks';
import type { Measured } from '../program/lab.js';
import { lab } from '../program/lab-client.js';

/** `tasks` is the name of a choice. */
export function useMeasured(text: string, tasks: string): Measured | undefined {
  const [measured, setMeasured] = useState<Measured | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    void lab()
      .call('measure', { text, tasks })
      .then((found) => {
        if (isCurrent) setMeasured(found);
      });
    return () => {
      isCurrent = false;
    };
  }, [text, tasks]);
  return measured;
}
