import { expect, test } from 'vitest';
import { wasmEngine } from '../engine/wasm/engine.js';
import { heap } from '../engine/wasm/heap.js';
import { builtin } from '../program/builtin.js';
import { regressionTaskAt } from '../tasks/regression.js';
import { fitnessesOf, localJudge } from './judge.js';

const { program } = builtin('paper/linear')!;
const SIZE = { features: 4, trainExamples: 20, validExamples: 5 };

function affineTasks(count: number, asked: number[] = []) {
  const at = async (index: number) => {
    asked.push(index);
    return regressionTaskAt('affine', SIZE, 1, index);
  };
  return { loss: 'rms', features: 4, count, trainCount: 20, validCount: 5, at } as const;
}

const OPTIONS = { epochs: 1, precision: 'f64' } as const;

test('every task is made once, in its order, and nothing stays in memory', async () => {
  const asked: number[] = [];
  const used = heap.used;
  const judge = localJudge(affineTasks(23, asked), OPTIONS);
  const trial = { program, tasks: [...Array(23).keys()] };
  const [first, second] = await judge.judge([trial, trial]);
  expect(asked).toEqual([...Array(23).keys()]);
  expect(new Set(fitnessesOf(first!)).size).toBe(23);
  expect(second).toEqual(first);
  judge.dispose();
  expect(heap.used).toBe(used);
});

test('trials are on the tasks and the training steps that they name', async () => {
  const tasks = affineTasks(5);
  const judge = localJudge(tasks, { ...OPTIONS, epochs: 3 });
  expect(judge.trainSteps).toBe(60);
  const told: number[] = [];
  const trials = [
    { program, tasks: [3, 1] },
    { program, tasks: [1], maxTrainSteps: 7 },
  ];
  const verdicts = await judge.judge(trials, (index) => void told.push(index));
  expect(told).toEqual([0, 1]);
  const alone = async (index: number, maxTrainSteps?: number) => {
    const evaluator = wasmEngine('f64').prepare([await tasks.at(index)], { epochs: 3 });
    const outcomes = evaluator.evaluate(program, maxTrainSteps);
    evaluator.dispose();
    return outcomes;
  };
  expect(verdicts).toEqual([[...(await alone(3)), ...(await alone(1))], await alone(1, 7)]);
  expect(verdicts[1]![0]!.trainSteps).toBe(7);
  judge.dispose();
});
