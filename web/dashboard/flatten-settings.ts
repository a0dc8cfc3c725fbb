// A configuration as a list of settings with their paths. Must not know what they mean.

export interface Setting {
  /** As `--set` takes it: `search.population`. */
  readonly path: string;
  readonly value: string;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  if (value === null) return 'none';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function flattenSettings(value: unknown, path: readonly string[] = []): Setting[] {
  if (isObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, inner]) => flattenSettings(inner, [...path, key]));
  }
  return [{ path: path.join('.'), value: textOf(value) }];
}
