// The islands of a search: how far each is, how good, and what they sent each other.
import { type IslandState, LIMITS, type RunDetail } from '../../src/server/api.js';
import { Card, Empty, Figures } from '../shared/controls.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { shortFitness, shortNumber, wholeNumber } from '../shared/format.js';

function figure(id: keyof IslandState, title: string): Column<IslandState> {
  return { id, title, isFigure: true, sortBy: (one) => one[id], cell: (one) => wholeNumber(one[id] ?? 0) };
}

function fitness(id: 'best' | 'mean', title: string): Column<IslandState> {
  return {
    id,
    title,
    isFigure: true,
    sortBy: (one) => one[id],
    cell: (one) => (one[id] === null ? '–' : shortFitness(one[id])),
  };
}

const MIGRATION_COLUMNS = [
  figure('migrations', 'Migrations'),
  figure('sent', 'Sent'),
  figure('received', 'Received'),
  figure('judged', 'Judged anew'),
  figure('refused', 'Refused'),
];

/** The best of each island between the worst and the best of them, for the eye. */
function barColumn(islands: readonly IslandState[]): Column<IslandState> {
  const known = islands.flatMap(({ best }) => (best === null ? [] : [best]));
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return {
    id: 'bar',
    title: 'Among the islands',
    cell: ({ best }) =>
      best === null ? (
        ''
      ) : (
        <meter
          min={0}
          max={1}
          value={most > least ? 0.04 + (0.96 * (best - least)) / (most - least) : 1}
          aria-label={`best fitness ${shortFitness(best)}, of ${shortFitness(least)} to ${shortFitness(most)}`}
        />
      ),
  };
}

export function IslandsTab({ detail }: { readonly detail: RunDetail }) {
  const { islands, islandCount, config } = detail;
  const sum = (of: (one: IslandState) => number) => shortNumber(islands.reduce((total, one) => total + of(one), 0));
  const migration = config?.islands.migration;
  return (
    <Card title={`${wholeNumber(islandCount)} islands`}>
      {islands.length === 0 ? (
        <Empty>No island has told anything yet.</Empty>
      ) : (
        <div class="stack">
          {migration != null && (
            <Figures
              items={[
                { label: 'Migrations', value: sum((one) => one.migrations) },
                { label: 'Programs sent', value: sum((one) => one.sent) },
                { label: 'Received', value: sum((one) => one.received) },
                { label: 'Judged anew', value: sum((one) => one.judged) },
                { label: 'Refused', value: sum((one) => one.refused) },
              ]}
            />
          )}
          <p class="soft">
            {migration == null
              ? 'Islands do not send each other programs.'
              : `Each island now and then sends up to ${100 * migration.part}% of its population to others.`}
            {islandCount > LIMITS.islands && ` The first ${wholeNumber(LIMITS.islands)} islands are listed.`}
          </p>
          <DataTable
            caption="Islands"
            rows={islands}
            keyOf={({ island }) => String(island)}
            sorting={{ column: 'island', direction: 'ascending' }}
            columns={[
              {
                id: 'island',
                title: 'Island',
                isHead: true,
                sortBy: ({ island }) => island,
                cell: ({ island }) => island,
              },
              fitness('best', 'Best'),
              barColumn(islands),
              fitness('mean', 'Mean'),
              figure('algorithms', 'Algorithms'),
              ...(migration == null ? [] : MIGRATION_COLUMNS),
            ]}
          />
        </div>
      )}
    </Card>
  );
}
