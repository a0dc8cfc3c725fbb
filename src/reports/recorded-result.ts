// Reads result.json for a report: a file that others may have changed, of which a page needs numbers and texts where it expects them.
// Must not know files or pages.
import * as z from 'zod';
import { ORIGINS } from '../evolve/lineage.js';
import type { EndReason } from '../experiment/events.js';
import { REASONS, type ReportData } from '../pages/run-page.js';

export type RecordedResult = ReportData['result'];

/** A result.json that is not what a run writes. The message names the field. */
export class ResultError extends Error {
  override readonly name = 'ResultError';
}

/** What is no finite number, files spell as a text. */
const number = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity']).transform(Number)]);
const fitness = number.nullable();
const ancestor = z.object({ id: number, fitness: number, program: z.string() });
const reasons = Object.keys(REASONS) as [EndReason, ...EndReason[]];

const RESULT = z.object({
  run: z.string(),
  preset: z.string(),
  seed: number,
  success: z.boolean().nullable(),
  reason: z.enum(reasons),
  searchFitness: fitness,
  selectFitness: fitness,
  finalFitness: fitness,
  experiments: number,
  algorithms: number,
  trainSteps: number,
  counts: z.object({
    algorithms: number,
    overBudget: number,
    canonicalHits: number,
    fingerprintHits: number,
    cut: number,
    audited: number,
    evaluated: number,
    trainSteps: number,
    work: number,
  }),
  rescued: number,
  program: z.string().nullable(),
  simplified: z.string().nullable(),
  lineage: z.array(ancestor.extend({ origin: z.enum(ORIGINS), parent: ancestor.nullable() })),
  seconds: number,
  cpuSeconds: number,
});

/** Throws ResultError. */
export function readRecordedResult(value: unknown): RecordedResult {
  const { data, error } = RESULT.safeParse(value);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new ResultError(`${issue!.path.join('.') || 'it'}: ${issue!.message}`);
}
