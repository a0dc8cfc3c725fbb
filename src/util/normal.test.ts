import { describe, expect, it } from 'vitest';
import { inverseNormal } from './normal.js';

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
