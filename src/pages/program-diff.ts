// What a mutation changed: the lines of a program's text that are not in its parent's, and the other way round, function by
// function. Must not know what lines mean.

export interface ChangedLine {
  readonly kind: 'removed' | 'added';
  readonly text: string;
}

export interface FunctionChange {
  /** As in the text, such as `Setup`. */
  readonly name: string;
  readonly lines: readonly ChangedLine[];
}

interface FunctionText {
  readonly name: string;
  readonly lines: readonly string[];
}

const HEAD = /^def (\w+)/;

function readFunctions(text: string): FunctionText[] {
  const functions: { name: string; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    const name = HEAD.exec(line)?.[1];
    if (name !== undefined) functions.push({ name, lines: [] });
    else if (line.trim() !== '') functions.at(-1)?.lines.push(line.trim());
  }
  return functions;
}

function countCommonStart(a: readonly string[], b: readonly string[]): number {
  let common = 0;
  while (common < a.length && common < b.length && a[common] === b[common]) common++;
  return common;
}

/** For every pair of places, the most lines that what follows in `a` and in `b` has in common. */
function commonLengths(a: readonly string[], b: readonly string[]): Int32Array {
  const width = b.length + 1;
  const lengths = new Int32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [below, right] = [lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!];
      const isSame = a[i] === b[j];
      lengths[i * width + j] = isSame ? lengths[(i + 1) * width + j + 1]! + 1 : Math.max(below, right);
    }
  }
  return lengths;
}

/** The fewest lines to remove from `before` and to add, so that it becomes `after`. */
function diffLines(before: readonly string[], after: readonly string[]): ChangedLine[] {
  // Nearly all of a program stays as it was, at both ends.
  const start = countCommonStart(before, after);
  const end = countCommonStart(before.slice(start).reverse(), after.slice(start).reverse());
  const a = before.slice(start, before.length - end);
  const b = after.slice(start, after.length - end);
  const lengths = commonLengths(a, b);
  const width = b.length + 1;
  const changes: ChangedLine[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i++;
      j++;
    } else if (j === b.length || (i < a.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)) {
      changes.push({ kind: 'removed', text: a[i++]! });
    } else {
      changes.push({ kind: 'added', text: b[j++]! });
    }
  }
  return changes;
}

/** The functions in which two texts of programs differ, in the order of the text. */
export function diffPrograms(before: string, after: string): FunctionChange[] {
  const old = readFunctions(before);
  return readFunctions(after).flatMap(({ name, lines }) => {
    const changes = diffLines(old.find((known) => known.name === name)?.lines ?? [], lines);
    return changes.length === 0 ? [] : [{ name, lines: changes }];
  });
}
