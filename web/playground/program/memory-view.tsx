// The memory of a program: scalars as numbers, vectors as bars, matrices as heat maps. Must not know what addresses mean but for their
// names.
import type { MemoryImage } from '../../../src/engine/engine.js';

function numberText(x: number): string {
  if (Number.isNaN(x)) return 'NaN';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
  const text = Math.abs(x) >= 1e5 || (x !== 0 && Math.abs(x) < 1e-4) ? x.toExponential(2) : x.toFixed(4);
  return text.replace('-', '−');
}

/** The largest magnitude, to scale what is drawn. */
function scaleOf(values: Float64Array): number {
  return values.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0) || 1;
}

interface CellProps {
  readonly name: string;
  /** What it is for, such as `features`. */
  readonly role: string | undefined;
  readonly values: Float64Array;
  readonly isWritten: boolean;
}

function Bars({ values }: { readonly values: Float64Array }) {
  const scale = scaleOf(values);
  const width = 100 / values.length;
  return (
    <svg class="bars" viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden="true">
      <line x1="0" x2="100" y1="20" y2="20" class="zero" />
      {Array.from(values, (x, k) => {
        const height = Number.isFinite(x) ? (18 * Math.abs(x)) / scale : 18;
        return (
          <rect
            key={k}
            x={k * width + 0.12 * width}
            width={0.76 * width}
            y={x < 0 ? 20 : 20 - height}
            height={height}
            class={x < 0 ? 'below' : 'above'}
          />
        );
      })}
    </svg>
  );
}

function HeatMap({ values }: { readonly values: Float64Array }) {
  const scale = scaleOf(values);
  const size = Math.round(Math.sqrt(values.length));
  return (
    <svg class="heat" viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
      {Array.from(values, (x, k) => (
        <rect
          key={k}
          x={k % size}
          y={Math.floor(k / size)}
          width={1.02}
          height={1.02}
          class={x < 0 ? 'below' : 'above'}
          style={{ opacity: Number.isFinite(x) ? Math.abs(x) / scale : 1 }}
        />
      ))}
    </svg>
  );
}

/** Few enough to be read aloud. */
const READ_ALOUD = 16;

function Cell({ name, role, values, isWritten }: CellProps) {
  const type = name[0]!;
  const [first] = values;
  return (
    <li class={`cell ${type} ${isWritten ? 'written' : ''}`} data-address={name}>
      <span class="cell-name">
        <b class={type}>{name}</b>
        {role !== undefined && <small>{role}</small>}
      </span>
      {type === 's' && <span class="number">{numberText(first!)}</span>}
      {type === 'v' && <Bars values={values} />}
      {type === 'm' && <HeatMap values={values} />}
      {type !== 's' && (
        <span class="cell-range" title="largest magnitude">
          {values.length <= READ_ALOUD && <span class="unseen">{Array.from(values, numberText).join(', ')}</span>}
          <span aria-hidden="true">±{numberText(scaleOf(values))}</span>
        </span>
      )}
    </li>
  );
}

interface MemoryViewProps {
  readonly memory: MemoryImage;
  /** By address. */
  readonly roles: ReadonlyMap<string, string>;
  readonly written: string | null;
}

export function MemoryView({ memory, roles, written }: MemoryViewProps) {
  const cells = [
    ...Array.from(memory.scalars, (x, k) => ({ name: `s${k}`, values: Float64Array.of(x) })),
    ...memory.vectors.map((values, k) => ({ name: `v${k}`, values })),
    ...memory.matrices.map((values, k) => ({ name: `m${k}`, values })),
  ];
  return (
    <ul class="memory" aria-label="Memory">
      {cells.map(({ name, values }) => (
        <Cell key={name} name={name} values={values} role={roles.get(name)} isWritten={name === written} />
      ))}
    </ul>
  );
}
