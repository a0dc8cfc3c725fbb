// The steps of a lineage, page by page: a long one comes in several answers, each asked for when one of its steps is looked at.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { LIMITS, type Lineage, type LineageStep, ROUTES } from '../../src/server/api.js';
import { getJson } from './api-client.js';
import { untilAnswered } from './repeat.js';

const PAGE = LIMITS.lineageSteps;

/** A step by its place, from 0 on; undefined while it is being asked for. */
export type FindStep = (place: number) => LineageStep | undefined;

/** Steps of this lineage: those around `place` are asked for if they are not known. */
export function useLineageSteps(id: string, lineage: Lineage, place: number): FindStep {
  // Another lineage has other steps.
  const pages = useMemo(() => new Map<number, readonly LineageStep[]>([[0, lineage.steps]]), [lineage]);
  const [, redraw] = useState(0);
  // The step before is needed too, to tell what changed.
  const needed = [...new Set([Math.floor(Math.max(0, place - 1) / PAGE), Math.floor(place / PAGE)])];
  useEffect(() => {
    const stop = new AbortController();
    for (const page of needed) {
      if (pages.has(page)) continue;
      const load = async () => {
        const path = `${ROUTES.lineage(id)}?from=${page * PAGE}&count=${PAGE}`;
        pages.set(page, (await getJson<Lineage>(path, stop.signal)).steps);
        redraw((n) => n + 1);
      };
      void untilAnswered(load, stop.signal, () => undefined);
    }
    return () => stop.abort();
  }, [pages, needed.join()]);
  return (at) => pages.get(Math.floor(at / PAGE))?.[at % PAGE];
}
