// THE op table: one row per op, the single source for number, name, types, text, meaning, constants and how it computes
// (paper, supplement "Search Space Additional Details"; docs/fidelity.md says where the paper's table misleads).
// Nothing else in the project may list ops. To add an op, add a row and a golden case (CONTRIBUTING.md).
import type { ConstantSpec, OpRow } from './types.js';

const GAMMA: ConstantSpec = { symbol: 'γ', low: -1, high: 1, signed: true };
const ALPHA: ConstantSpec = { symbol: 'α', low: -1, high: 1, signed: true };
const BETA: ConstantSpec = { symbol: 'β', low: -1, high: 1, signed: true };
const MU: ConstantSpec = { symbol: 'μ', low: -1, high: 1, signed: true };
const SIGMA: ConstantSpec = { symbol: 'σ', low: 0, high: 1, signed: false };

// biome-ignore format: one row per op, one op per row
export const OP_ROWS = [
  { id: 0, name: 'no-op', shape: 'none', text: 'no_op', alsoRead: ['NoOp()', 'NoOp', 'no_op()'], about: 'nothing' },
  { id: 1, name: 'scalar-add', shape: 'map2', fn: 'add', text: 's = s + s', about: 'c = a + b' },
  { id: 2, name: 'scalar-subtract', shape: 'map2', fn: 'subtract', text: 's = s - s', about: 'c = a - b' },
  { id: 3, name: 'scalar-multiply', shape: 'map2', fn: 'multiply', text: 's = s * s', about: 'c = a b' },
  { id: 4, name: 'scalar-divide', shape: 'map2', fn: 'divide', text: 's = s / s', about: 'c = a / b' },
  { id: 5, name: 'scalar-abs', shape: 'map1', fn: 'abs', text: 's = abs(s)', about: 'b = |a|' },
  { id: 6, name: 'scalar-reciprocal', shape: 'map1', fn: 'reciprocal', text: 's = 1 / s', about: 'b = 1 / a' },
  { id: 7, name: 'scalar-sin', shape: 'map1', fn: 'sin', text: 's = sin(s)', about: 'b = sin a' },
  { id: 8, name: 'scalar-cos', shape: 'map1', fn: 'cos', text: 's = cos(s)', about: 'b = cos a' },
  { id: 9, name: 'scalar-tan', shape: 'map1', fn: 'tan', text: 's = tan(s)', about: 'b = tan a' },
  { id: 10, name: 'scalar-arcsin', shape: 'map1', fn: 'arcsin', text: 's = arcsin(s)', about: 'b = arcsin a; NaN outside [-1, 1]' },
  { id: 11, name: 'scalar-arccos', shape: 'map1', fn: 'arccos', text: 's = arccos(s)', about: 'b = arccos a; NaN outside [-1, 1]' },
  { id: 12, name: 'scalar-arctan', shape: 'map1', fn: 'arctan', text: 's = arctan(s)', about: 'b = arctan a' },
  { id: 13, name: 'scalar-exp', shape: 'map1', fn: 'exp', text: 's = exp(s)', about: 'b = e^a' },
  { id: 14, name: 'scalar-log', shape: 'map1', fn: 'log', text: 's = log(s)', about: 'b = ln a; NaN below 0' },
  { id: 15, name: 'scalar-heaviside', shape: 'map1', fn: 'step', text: 's = heaviside(s)', alsoRead: ['s = heaviside(s, 1)'], about: 'b = 1 if a ≥ 0, else 0' },
  { id: 16, name: 'vector-heaviside', shape: 'map1', fn: 'stepAbove', text: 'v = heaviside(v)', alsoRead: ['v = heaviside(v, 1)'], about: 'b(i) = 1 if a(i) > 0, else 0' },
  { id: 17, name: 'matrix-heaviside', shape: 'map1', fn: 'stepAbove', text: 'm = heaviside(m)', alsoRead: ['m = heaviside(m, 1)'], about: 'B(i,j) = 1 if A(i,j) > 0, else 0' },
  { id: 18, name: 'vector-scale', shape: 'scale', text: 'v = s * v', about: 'c(i) = a b(i)' },
  { id: 19, name: 'vector-fill', shape: 'broadcast', from: 'scalar', text: 'v = bcast(s)', about: 'b(i) = a' },
  { id: 20, name: 'vector-reciprocal', shape: 'map1', fn: 'reciprocal', text: 'v = 1 / v', about: 'b(i) = 1 / a(i)' },
  { id: 21, name: 'vector-norm', shape: 'reduce', fn: 'norm', text: 's = norm(v)', about: 'b = √Σ a(i)²' },
  { id: 22, name: 'vector-abs', shape: 'map1', fn: 'abs', text: 'v = abs(v)', about: 'b(i) = |a(i)|' },
  { id: 23, name: 'vector-add', shape: 'map2', fn: 'add', text: 'v = v + v', about: 'c(i) = a(i) + b(i)' },
  { id: 24, name: 'vector-subtract', shape: 'map2', fn: 'subtract', text: 'v = v - v', about: 'c(i) = a(i) - b(i)' },
  { id: 25, name: 'vector-multiply', shape: 'map2', fn: 'multiply', text: 'v = v * v', about: 'c(i) = a(i) b(i)' },
  { id: 26, name: 'vector-divide', shape: 'map2', fn: 'divide', text: 'v = v / v', about: 'c(i) = a(i) / b(i)' },
  { id: 27, name: 'dot', shape: 'contract', text: 's = dot(v, v)', about: 'c = Σ a(i) b(i)' },
  { id: 28, name: 'outer', shape: 'contract', text: 'm = outer(v, v)', about: 'C(i,j) = a(i) b(j)' },
  { id: 29, name: 'matrix-scale', shape: 'scale', text: 'm = s * m', about: 'C(i,j) = a B(i,j)' },
  { id: 30, name: 'matrix-reciprocal', shape: 'map1', fn: 'reciprocal', text: 'm = 1 / m', about: 'B(i,j) = 1 / A(i,j)' },
  { id: 31, name: 'matrix-vector', shape: 'contract', text: 'v = dot(m, v)', about: 'c(i) = Σ A(i,k) b(k)' },
  { id: 32, name: 'column-broadcast', shape: 'broadcast', from: 'column', text: 'm = bcast(v, axis=0)', about: 'B(i,j) = a(i)' },
  { id: 33, name: 'row-broadcast', shape: 'broadcast', from: 'row', text: 'm = bcast(v, axis=1)', about: 'B(i,j) = a(j)' },
  { id: 34, name: 'matrix-norm', shape: 'reduce', fn: 'norm', text: 's = norm(m)', about: 'b = √Σ A(i,j)²' },
  { id: 35, name: 'column-norm', shape: 'reduceAxis', fn: 'norm', axis: 0, text: 'v = norm(m, axis=0)', about: 'b(j) = √Σ A(k,j)², the norm of column j' },
  { id: 36, name: 'row-norm', shape: 'reduceAxis', fn: 'norm', axis: 1, text: 'v = norm(m, axis=1)', about: 'b(i) = √Σ A(i,k)², the norm of row i' },
  { id: 37, name: 'transpose', shape: 'transpose', text: 'm = transpose(m)', about: 'B(i,j) = A(j,i)' },
  { id: 38, name: 'matrix-abs', shape: 'map1', fn: 'abs', text: 'm = abs(m)', about: 'B(i,j) = |A(i,j)|' },
  { id: 39, name: 'matrix-add', shape: 'map2', fn: 'add', text: 'm = m + m', about: 'C(i,j) = A(i,j) + B(i,j)' },
  { id: 40, name: 'matrix-subtract', shape: 'map2', fn: 'subtract', text: 'm = m - m', about: 'C(i,j) = A(i,j) - B(i,j)' },
  { id: 41, name: 'matrix-multiply', shape: 'map2', fn: 'multiply', text: 'm = m * m', about: 'C(i,j) = A(i,j) B(i,j)' },
  { id: 42, name: 'matrix-divide', shape: 'map2', fn: 'divide', text: 'm = m / m', about: 'C(i,j) = A(i,j) / B(i,j)' },
  { id: 43, name: 'matmul', shape: 'contract', text: 'm = matmul(m, m)', about: 'C(i,j) = Σ A(i,k) B(k,j)' },
  { id: 44, name: 'scalar-minimum', shape: 'map2', fn: 'minFirst', text: 's = minimum(s, s)', alsoRead: ['s = min(s, s)'], about: 'c = b if b < a, else a' },
  { id: 45, name: 'vector-minimum', shape: 'map2', fn: 'minFirst', text: 'v = minimum(v, v)', alsoRead: ['v = min(v, v)'], about: 'c(i) = b(i) if b(i) < a(i), else a(i)' },
  { id: 46, name: 'matrix-minimum', shape: 'map2', fn: 'minSecond', text: 'm = minimum(m, m)', alsoRead: ['m = min(m, m)'], about: 'C(i,j) = A(i,j) if A(i,j) < B(i,j), else B(i,j)' },
  { id: 47, name: 'scalar-maximum', shape: 'map2', fn: 'maxFirst', text: 's = maximum(s, s)', alsoRead: ['s = max(s, s)'], about: 'c = b if a < b, else a' },
  { id: 48, name: 'vector-maximum', shape: 'map2', fn: 'maxFirst', text: 'v = maximum(v, v)', alsoRead: ['v = max(v, v)'], about: 'c(i) = b(i) if a(i) < b(i), else a(i)' },
  { id: 49, name: 'matrix-maximum', shape: 'map2', fn: 'maxSecond', text: 'm = maximum(m, m)', alsoRead: ['m = max(m, m)'], about: 'C(i,j) = A(i,j) if A(i,j) > B(i,j), else B(i,j)' },
  { id: 50, name: 'vector-mean', shape: 'reduce', fn: 'mean', text: 's = mean(v)', about: 'b = Σ a(i) / F' },
  { id: 51, name: 'matrix-mean', shape: 'reduce', fn: 'mean', text: 's = mean(m)', about: 'b = Σ A(i,j) / F²' },
  { id: 52, name: 'row-mean', shape: 'reduceAxis', fn: 'mean', axis: 1, text: 'v = mean(m, axis=1)', alsoRead: ['v = mean(m, axis=0)'], about: 'b(i) = Σ A(i,k) / F, the mean of row i' },
  { id: 53, name: 'row-std', shape: 'reduceAxis', fn: 'std', axis: 1, text: 'v = std(m, axis=1)', alsoRead: ['v = std(m, axis=0)'], about: 'b(i) = the standard deviation of row i' },
  { id: 54, name: 'vector-std', shape: 'reduce', fn: 'std', text: 's = std(v)', about: 'b = √(E[a²] - E[a]²); NaN where rounding makes that negative' },
  { id: 55, name: 'matrix-std', shape: 'reduce', fn: 'std', text: 's = std(m)', about: 'b = √(E[A²] - E[A]²); NaN where rounding makes that negative' },
  { id: 56, name: 'scalar-constant', shape: 'fillConst', constants: [GAMMA], text: 's = c', about: 'a = γ' },
  { id: 57, name: 'vector-element', shape: 'fillConst', constants: [GAMMA], text: 'v[i] = c', about: 'a(i) = γ; the other elements stay' },
  { id: 58, name: 'matrix-element', shape: 'fillConst', constants: [GAMMA], text: 'm[i, j] = c', about: 'A(i,j) = γ; the other elements stay' },
  { id: 59, name: 'scalar-uniform', shape: 'fillRandom', fn: 'uniform', constants: [ALPHA, BETA], text: 's = uniform(c, c)', about: 'a = α + (β - α) u, u uniform in [0, 1)' },
  { id: 60, name: 'vector-uniform', shape: 'fillRandom', fn: 'uniform', constants: [ALPHA, BETA], text: 'v = uniform(c, c)', alsoRead: ['v = uniform(c, c, n_features)'], about: 'a(i) = α + (β - α) u, a fresh u for each' },
  { id: 61, name: 'matrix-uniform', shape: 'fillRandom', fn: 'uniform', constants: [ALPHA, BETA], text: 'm = uniform(c, c)', alsoRead: ['m = uniform(c, c, (n_features, n_features))'], about: 'A(i,j) = α + (β - α) u, a fresh u for each' },
  { id: 62, name: 'scalar-gaussian', shape: 'fillRandom', fn: 'gaussian', constants: [MU, SIGMA], text: 's = gaussian(c, c)', alsoRead: ['s = gauss(c, c)'], about: 'a = μ + σ z, z standard normal' },
  { id: 63, name: 'vector-gaussian', shape: 'fillRandom', fn: 'gaussian', constants: [MU, SIGMA], text: 'v = gaussian(c, c)', alsoRead: ['v = gauss(c, c)', 'v = gaussian(c, c, n_features)'], about: 'a(i) = μ + σ z, a fresh z for each' },
  { id: 64, name: 'matrix-gaussian', shape: 'fillRandom', fn: 'gaussian', constants: [MU, SIGMA], text: 'm = gaussian(c, c)', alsoRead: ['m = gauss(c, c)', 'm = gaussian(c, c, (n_features, n_features))'], about: 'A(i,j) = μ + σ z, a fresh z for each' },
] as const satisfies readonly OpRow[];

/** The name of an op, as configurations write it. */
export type OpName = (typeof OP_ROWS)[number]['name'];
