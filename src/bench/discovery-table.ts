// The tables of docs/discovery.md: what each method took to discover known algorithms. Made of what `npm run discovery` keeps, so that the
// same searches give the same text. Must not know how they were measured.
import { rankSumGreater } from '../analysis/rank-sum.js';
import { mean, standardError } from '../util/stats.js';
import { DISCOVERY_FAMILIES, DISCOVERY_METHODS, type Discovery, IMAGE_FAMILY, quartilesOf } from './discovery.js';

/** `12`, `1.5`, `3,400,000`: three digits that count. */
function shortText(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 2 });
}

/** The longest of the searches that were given up: what is not known is longer than that. */
function givenUpAfter(discoveries: readonly Discovery[], of: (one: Discovery) => number): number {
  return Math.max(...discoveries.filter(({ success }) => !success).map(of));
}

/** The median and the quartiles; of searches that were given up, that they take longer. */
function quartilesText(discoveries: readonly Discovery[], of: (one: Discovery) => number): string {
  const [low, middle, high] = quartilesOf(discoveries, of).map((value) =>
    Number.isFinite(value) ? shortText(value) : `> ${shortText(givenUpAfter(discoveries, of))}`,
  );
  return low === high ? middle! : `${middle} (${low} to ${high})`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

const QUANTITIES: readonly { readonly name: string; readonly of: (one: Discovery) => number }[] = [
  { name: 'CPU seconds', of: ({ cpuSeconds }) => cpuSeconds },
  { name: 'algorithms', of: ({ algorithms }) => algorithms },
  { name: 'evaluated in full', of: ({ evaluated }) => evaluated },
  { name: 'training steps', of: ({ trainSteps }) => trainSteps },
];

/** How many times as long the paper's method takes; at least, if it did not get there. */
function speedText(paper: readonly Discovery[], ours: readonly Discovery[]): string {
  const of = ({ cpuSeconds }: Discovery) => cpuSeconds;
  const [theirs, own] = [quartilesOf(paper, of)[1]!, quartilesOf(ours, of)[1]!];
  if (!Number.isFinite(own)) return '–';
  if (Number.isFinite(theirs)) return shortText(theirs / own);
  return `> ${shortText(givenUpAfter(paper, of) / own)}`;
}

/** Markdown: a row for each family and method that was measured. */
export function renderDiscoveries(all: readonly Discovery[]): string {
  if (all.length === 0) return 'Nothing has been measured yet.\n';
  const rows = DISCOVERY_FAMILIES.flatMap(({ name }) => {
    const of = (method: string) => all.filter((one) => one.family === name && one.method === method);
    const paper = of('evolution');
    return DISCOVERY_METHODS.filter((method) => of(method).length > 0).map((method) => {
      const found = of(method);
      const gain = method === 'evolution' || paper.length === 0 ? '' : speedText(paper, found);
      const successes = `${found.filter(({ success }) => success).length} of ${found.length}`;
      return row([name, method, successes, ...QUANTITIES.map((one) => quartilesText(found, one.of)), gain]);
    });
  });
  const columns = ['family', 'method', 'found', ...QUANTITIES.map(({ name }) => name), 'times as fast'];
  return [row(columns), row(columns.map((_, k) => (k < 2 ? '---' : '---:'))), ...rows].join('');
}

/** Accuracy on the tasks to select on; half of them by chance, if there is no program at all. */
function accuracies(discoveries: readonly Discovery[]): number[] {
  return discoveries.map(({ selectFitness }) => selectFitness ?? 0.5);
}

/** Markdown: what the methods reach on real images in equal time, and how probable such a difference would be by chance. */
export function renderImageSearches(all: readonly Discovery[]): string {
  const of = (method: string) => all.filter((one) => one.family === IMAGE_FAMILY.name && one.method === method);
  const paper = accuracies(of('evolution'));
  const rows = DISCOVERY_METHODS.filter((method) => of(method).length > 0).map((method) => {
    const found = of(method);
    const own = accuracies(found);
    const average = (value: (one: Discovery) => number) => shortText(mean(found.map(value)));
    const p = method === 'evolution' || paper.length === 0 ? '' : rankSumGreater(own, paper).toPrecision(2);
    return row([
      ...[method, `${found.length}`, average(({ cpuSeconds }) => cpuSeconds), average(({ algorithms }) => algorithms)],
      `${mean(own).toFixed(3)} ± ${(standardError(own) ?? Number.NaN).toFixed(3)}`,
      ...[Math.min(...own).toFixed(3), Math.max(...own).toFixed(3), p],
    ]);
  });
  if (rows.length === 0) return 'Nothing has been measured yet.\n';
  const columns = ['method', 'runs', 'CPU seconds', 'algorithms', 'accuracy', 'worst', 'best', 'p'];
  return [row(columns), row(columns.map((_, k) => (k < 1 ? '---' : '---:'))), ...rows].join('');
}
