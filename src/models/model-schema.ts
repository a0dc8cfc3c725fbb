// What a model file holds, field by field, and the limits that keep a hostile one from taking all memory. Must not know files or
// checksums.
import * as z from 'zod';
import { CLASSES, MAX_FEATURES } from '../engine/engine.js';

export const MODEL_FORMAT = 'evozero-model';
export const MODEL_VERSION = 1;

const MAX_TEXT = 1 << 20;
const MAX_COLUMNS = 100_000;
const MAX_VALUES = 1_000_000;

const text = z.string().max(MAX_TEXT);
const whole = z.int().min(0);
const scaling = z.strictObject({ mean: z.number(), deviation: z.number().min(0) });

const column = z.discriminatedUnion('kind', [
  z.strictObject({ name: text, kind: z.literal('number'), mean: z.number(), deviation: z.number().min(0) }),
  z.strictObject({
    name: text,
    kind: z.literal('category'),
    values: z.array(text).max(MAX_VALUES),
    others: z.array(text).max(MAX_VALUES),
    scalings: z.array(scaling).max(MAX_VALUES),
  }),
]);

const target = z.discriminatedUnion('kind', [
  z.strictObject({ name: text, kind: z.literal('regression'), scaling }),
  z.strictObject({ name: text, kind: z.literal('binary'), classes: z.array(text).length(2) }),
  z.strictObject({ name: text, kind: z.literal('multiclass'), classes: z.array(text).min(2).max(CLASSES) }),
]);

const encoding = z.strictObject({
  missing: z.array(text).max(MAX_VALUES),
  columns: z.array(column).min(1).max(MAX_COLUMNS),
  target,
  features: z.int().min(2).max(MAX_FEATURES),
  projection: z.exactOptional(z.strictObject({ seed: whole, scalings: z.array(scaling).max(MAX_FEATURES) })),
});

/** Numbers that JSON lacks are spelled. */
export const SPELLED = ['NaN', 'Infinity', '-Infinity', '-0'] as const;

const memoryValue = z.union([
  z.strictObject({ address: z.string().regex(/^s\d{1,3}$/), value: z.union([z.number(), z.enum(SPELLED)]) }),
  z.strictObject({ address: z.string().regex(/^[vm]\d{1,3}$/), base64: z.base64() }),
]);

const interval = z.tuple([z.number(), z.number()]);

const score = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('classes'), rows: whole, accuracy: z.number(), interval }),
  z.strictObject({
    kind: z.literal('numbers'),
    rows: whole,
    r2: z.number().nullable(),
    r2Interval: interval.nullable(),
    rmse: z.number().nullable(),
    rmseInterval: interval.nullable(),
  }),
]);

const named = z.strictObject({
  name: text,
  epochs: whole,
  crossValidation: z.number(),
  heldOut: score.nullable(),
});

export const MODEL_CONTENT = z.strictObject({
  format: z.literal(MODEL_FORMAT),
  version: z.literal(MODEL_VERSION),
  /** That wrote it. */
  evozero: text,
  /** Which of `scores` it is. */
  name: text,
  program: text,
  encoding,
  /** What the program has learned: all that Predict reads before it writes it. */
  memory: z.array(memoryValue).max(1000),
  /** Keys of the random ops in Predict. */
  random: z.strictObject({ seed: whole, step: whole }),
  training: z.strictObject({ seed: whole, rows: whole, epochs: whole, algorithms: whole }),
  scores: z.array(named).max(10),
});

export type ModelContent = z.output<typeof MODEL_CONTENT>;
