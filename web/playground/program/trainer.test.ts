import { describe, expect, it } from 'vitest';
import { interpreter } from '../../../src/engine/interpreter.js';
import { BUILTIN_NAMES, builtin } from '../../../src/program/builtin.js';
import { parseSource } from '../../../src/program/parse.js';
import { openBuiltinTasks } from '../../../src/tasks/open-tasks.js';
import { Trainer } from './trainer.js';

async function openTask(name: string, train: number) {
  const tasks = await openBuiltinTasks({ name, count: 1, seed: 3, train, valid: 10, features: 16 });
  return tasks.at(0);
}

describe('training step by step', () => {
  it.each(BUILTIN_NAMES)('makes the errors of the reference interpreter: %s', async (name) => {
    const { program, labels } = builtin(name)!;
    const task = await openTask(labels === 'vector' ? 'digits-multiclass-search' : 'digits-binary-search', 30);
    const [outcome] = interpreter.prepare([task], { trace: true }).evaluate(program);
    const trainer = new Trainer(program, task);
    trainer.advance(30, 'example');
    expect(trainer.state().errors).toEqual(outcome!.trace!.trainErrors);
  });

  it('goes through one instruction at a time, in the order of an evaluation', async () => {
    const { program } = builtin('paper/linear')!;
    const trainer = new Trainer(program, await openTask('linear', 5));
    const seen: string[] = [];
    while (trainer.state().examples < 2) {
      const { next } = trainer.state();
      seen.push(`${next!.function}${next!.index}`);
      trainer.advance(1, 'instruction');
    }
    const example = [...program.predict.map((_, k) => `predict${k}`), ...program.learn.map((_, k) => `learn${k}`)];
    expect(seen).toEqual([...program.setup.map((_, k) => `setup${k}`), ...example, ...example]);
  });

  it('stops where an evaluation stops', async () => {
    const { program } = parseSource(
      'def Setup():\n  s2 = 1000\ndef Predict(v0):\n  s1 = s1 + s2\ndef Learn(v0, s0):\n',
    );
    const trainer = new Trainer(program, await openTask('linear', 5));
    trainer.advance(3, 'example');
    expect(trainer.state()).toMatchObject({ isStopped: true, next: null, examples: 0, errors: [] });
  });

  it('does not hang on a program without instructions', async () => {
    const { program } = parseSource('def Setup():\ndef Predict(v0):\ndef Learn(v0, s0):\n');
    const trainer = new Trainer(program, await openTask('linear', 5));
    trainer.advance(7, 'example');
    expect(trainer.state().examples).toBe(7);
  });
});
