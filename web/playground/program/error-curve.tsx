// The errors of training examples, one after the other, with their moving average. Must not know programs.

const WIDTH = 600;
const HEIGHT = 120;
const WINDOW = 20;

/** The last so many are drawn. */
const SHOWN = 400;

function average(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value, k) => {
    sum += value - (k >= WINDOW ? values[k - WINDOW]! : 0);
    return sum / Math.min(k + 1, WINDOW);
  });
}

export function ErrorCurve({ errors }: { readonly errors: readonly number[] }) {
  const means = average(errors).slice(-SHOWN);
  const shown = errors.slice(-SHOWN);
  // A few large errors at the beginning must not hide what follows.
  const top = Math.max(1e-12, ...shown.map((error) => Math.min(error, 4 * Math.max(...means, 1e-12))));
  const x = (k: number) => (shown.length < 2 ? 0 : (k * WIDTH) / (shown.length - 1));
  const y = (error: number) => HEIGHT - 4 - ((HEIGHT - 8) * Math.min(error, top)) / top;
  const last = means.at(-1);
  return (
    <figure class="error-curve">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={
          last === undefined
            ? 'No errors yet'
            : `Errors of ${errors.length} examples; the mean of the last ${Math.min(WINDOW, errors.length)} is ${last.toPrecision(3)}`
        }
      >
        {shown.map((error, k) => (
          <circle key={k} cx={x(k)} cy={y(error)} r={2} class="example" />
        ))}
        <polyline points={means.map((mean, k) => `${x(k)},${y(mean)}`).join(' ')} class="mean" />
      </svg>
      <figcaption class="soft">
        {last === undefined
          ? 'The error of each example stands here.'
          : `Error of each example, and the mean of ${WINDOW}: ${last.toPrecision(3)}`}
      </figcaption>
    </figure>
  );
}
