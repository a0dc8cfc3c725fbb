// Picks the shared functions that a generated file needs, those that they need included. Must not know any language.

interface SharedFunction {
  readonly text: string;
  readonly needs?: readonly string[];
}

/** The texts in the order of the table. */
export function functionTexts(table: Readonly<Record<string, SharedFunction>>, used: Iterable<string>): string[] {
  const needed = new Set<string>();
  const need = (name: string) => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const other of table[name]!.needs ?? []) need(other);
  };
  for (const name of used) need(name);
  return Object.entries(table).flatMap(([name, { text }]) => (needed.has(name) ? [text] : []));
}
