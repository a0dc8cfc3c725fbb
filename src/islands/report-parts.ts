// What reports and checkpoints of islands have in common, as schemas: whoever reads one believes nothing of it. Must not know what else is
// in either.
import * as z from 'zod';
import { COUNT_NAMES, type CountName } from '../experiment/counts.js';

export const amount = z.number().nonnegative();

export const counts = z.strictObject(
  Object.fromEntries(COUNT_NAMES.map((name) => [name, amount])) as Record<CountName, typeof amount>,
);

export const migration = z.strictObject({
  migrations: amount,
  sent: amount,
  received: amount,
  judged: amount,
  refused: amount,
});
