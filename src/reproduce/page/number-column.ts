// Numbers that stand below each other, with as many decimals as the longest of them needs. Must not know what they measure.

/** Digits that count of a number with a fraction. */
const DIGITS = 4;
const MAX_DECIMALS = 6;
/** Smaller numbers are integers without separators: years and seeds are among them. */
const SEPARATED = 10_000;

function decimalsOf(value: number): number {
  if (!Number.isFinite(value) || Number.isInteger(value)) return 0;
  const decimals = DIGITS - 1 - Math.floor(Math.log10(Math.abs(value)));
  const [, fraction = ''] = value.toFixed(Math.max(0, Math.min(MAX_DECIMALS, decimals))).split('.');
  return fraction.replace(/0+$/, '').length;
}

/** Too small for the decimals that there are. */
function isTiny(value: number): boolean {
  return value !== 0 && Math.abs(value) < 10 ** (1 - MAX_DECIMALS);
}

/** Texts of the numbers of one column; `–` for what is no number. */
export function writeNumbers(values: readonly (number | null | undefined)[]): string[] {
  const numbers = values.filter((value) => value !== null && value !== undefined);
  const decimals = numbers.reduce((most, value) => Math.max(most, isTiny(value) ? 0 : decimalsOf(value)), 0);
  return values.map((value) => {
    if (value === null || value === undefined || !Number.isFinite(value)) return '–';
    const isExponential = isTiny(value) || Math.abs(value) >= 1e15;
    const useGrouping = Math.abs(value) >= SEPARATED;
    const text = isExponential
      ? String(Number(value.toPrecision(DIGITS)))
      : value.toLocaleString('en-US', {
          minimumFractionDigits: decimals,
          maximumFractionDigits: decimals,
          useGrouping,
        });
    return text.replace('-', '−').replace('e-', 'e−');
  });
}
