import { describe, expect, it } from 'vitest';
import { inverseNormal, naturalLog } from './normal.js';

describe('the logarithm', () => {
  it('agrees with Math.log to the last bits', () => {
    for (let k = 0; k < 20_000; k++) {
      const x = 2 ** (((k * 0.7548776662466927) % 1) * 200 - 100);
      expect(Math.abs(naturalLog(x) - Math.log(x))).toBeLessThanOrEqual(4e-16 * Math.max(1e-3, Math.abs(Math.log(x))));
    }
    expect(naturalLog(1)).toBe(0);
  });
});

describe('the inverse of the normal distribution function', () => {
  it('has the published percentage points', () => {
    // From statistical tables; the last two test both tails of the approximation.
    const points = [
      [0.5, 0],
      [0.75, 0.6744897501960817],
      [0.9, 1.2815515655446004],
      [0.975, 1.959963984540054],
      [0.001, -3.090232306167813],
      [1e-20, -9.262340089798409],
    ] as const;
    for (const [p, z] of points) expect(inverseNormal(p)).toBeCloseTo(z, 14);
  });

  it('is antisymmetric and increasing', () => {
    let last = Number.NEGATIVE_INFINITY;
    for (let k = 1; k < 4096; k++) {
      const z = inverseNormal(k / 4096);
      expect(z).toBeGreaterThan(last);
      expect(inverseNormal(1 - k / 4096) + z).toBe(0);
      last = z;
    }
  });
});
