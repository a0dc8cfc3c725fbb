// Programs as dots, by their fitness after a few examples and after all, and the hurdle between those that are cut and those that are not.
// Must not know how they were tried.
import type { TriedTwice } from './tried-twice.js';

const SIZE = 400;
const LEFT = 48;
const BOTTOM = 36;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

const x = (fitness: number) => LEFT + fitness * (SIZE - LEFT - 8);
const y = (fitness: number) => SIZE - BOTTOM - fitness * (SIZE - BOTTOM - 8);

function Axes() {
  return (
    <g class="axes">
      {TICKS.map((tick) => (
        <g key={tick}>
          <line x1={x(tick)} x2={x(tick)} y1={y(0)} y2={y(1)} />
          <line x1={x(0)} x2={x(1)} y1={y(tick)} y2={y(tick)} />
          <text x={x(tick)} y={SIZE - 20} text-anchor="middle">
            {tick}
          </text>
          <text x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
            {tick}
          </text>
        </g>
      ))}
      <text x={x(0.5)} y={SIZE - 4} text-anchor="middle">
        after a few examples
      </text>
      <text transform={`translate(10 ${y(0.5)}) rotate(-90)`} text-anchor="middle">
        after all
      </text>
    </g>
  );
}

interface HurdlePlotProps {
  readonly tried: readonly TriedTwice[];
  readonly hurdle: number;
}

export function HurdlePlot({ tried, hurdle }: HurdlePlotProps) {
  return (
    <svg
      class="hurdle-plot"
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      role="img"
      aria-label={`Fitness of ${tried.length} programs after a few examples and after all, with a hurdle at ${hurdle.toFixed(2)}`}
    >
      <rect class="cut-zone" x={x(0)} y={y(1)} width={x(hurdle) - x(0)} height={y(0) - y(1)} />
      <Axes />
      {tried.map(({ early, whole }, k) => (
        <circle key={k} cx={x(early)} cy={y(whole)} r={4} class={early < hurdle ? 'is-cut' : 'passes'} />
      ))}
      <line class="hurdle" x1={x(hurdle)} x2={x(hurdle)} y1={y(0)} y2={y(1)} />
    </svg>
  );
}
