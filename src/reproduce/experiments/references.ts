// The hand-made programs that others are compared with, evaluated on the tasks to select on.
import type { Laboratory } from '../laboratory.js';

export interface Reference {
  readonly name: string;
  readonly program: string;
  readonly accuracy: number;
}

export interface ReferenceSettings {
  readonly train: number;
  readonly valid: number;
  readonly epochs: number;
}

const REFERENCES = [
  { name: 'logistic regression', program: 'paper/logistic' },
  { name: 'two-layer network', program: 'paper/neural-net' },
];
const COUNT = { laptop: 100, paper: 100, smoke: 2 };

/** `eval` of logistic regression and of the network on projected CIFAR-10, the pairs that no search sees. */
export async function measureReferences(laboratory: Laboratory, settings: ReferenceSettings): Promise<Reference[]> {
  const { train, valid, epochs } = laboratory.scale === 'smoke' ? { train: 100, valid: 50, epochs: 1 } : settings;
  const tasks = ['--tasks', 'cifar10-binary-select', '--features', '16', '--count', String(COUNT[laboratory.scale])];
  const size = ['--train', String(train), '--valid', String(valid), '--epochs', String(epochs)];
  const measured = await laboratory.measure<{ mean: number }>(
    REFERENCES.map(({ program }) => ({
      key: `eval-${program.replace('/', '-')}-${train}-${epochs}`,
      args: ['eval', program, ...tasks, ...size],
    })),
  );
  return REFERENCES.map((reference, k) => ({ ...reference, accuracy: measured[k]!.mean }));
}
