// What a run is doing, in a word and a colour.
import type { RunSummary } from '../../src/server/api.js';
import { Badge, type Tone } from '../shared/controls.js';

/** A finished run that did not reach what was asked for is no failure of the program, but not good either. */
function toneOf({ status, success }: RunSummary): Tone {
  if (status === 'running') return 'live';
  if (status === 'failed' || status === 'corrupt') return 'bad';
  if (status === 'stopped') return 'warn';
  return success === true ? 'good' : 'neutral';
}

export function StatusBadge({ run }: { readonly run: RunSummary }) {
  const word = run.isStopping ? 'stopping' : run.status;
  const title =
    run.success === null ? undefined : run.success ? 'as good as was asked for' : 'not as good as was asked for';
  return (
    <Badge tone={toneOf(run)}>
      <span title={run.problem ?? title}>{word}</span>
    </Badge>
  );
}
