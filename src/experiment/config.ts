// Reads configurations: every field by the schema, then what must fit together. Must not know files or YAML.
import type * as z from 'zod';
import { configProblems } from './config-checks.js';
import { type ConfigIssue, throwIssues } from './config-error.js';
import { CONFIG, type Config } from './config-schema.js';

export type { Config, ConfigInput } from './config-schema.js';

/** Reads a configuration. Throws ConfigError. */
export function parseConfig(value: unknown): Config {
  const { success, data, error } = CONFIG.safeParse(withoutRunFields(value));
  if (!success) {
    // Unknown fields first: they tend to be misspelled ones, which are then missing too.
    const isUnknown = ({ code }: z.core.$ZodIssue) => code === 'unrecognized_keys';
    const others = error.issues.filter((issue) => !isUnknown(issue));
    throwIssues([...error.issues.filter(isUnknown), ...others].flatMap(readIssue));
  }
  const config = data as Config;
  throwIssues([...configProblems(config)]);
  return config;
}

/** What a run directory's config.json has beside the configuration. */
const RUN_FIELDS = ['evozero', 'format'];

/** So that a run's config.json can be run again. */
function withoutRunFields(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !RUN_FIELDS.every((field) => field in value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !RUN_FIELDS.includes(key)));
}

function readIssue(issue: z.core.$ZodIssue): ConfigIssue[] {
  const path = issue.path as (string | number)[];
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : undefined;
  return issue.message.split('\n').map((message, k) => ({ path: keys ? [...path, keys[k]!] : path, message }));
}
