import { beforeEach, describe, expect, it } from 'vitest';
import { openBuiltin, openProgram, tasks } from './program-state.js';
import { TASK_CHOICES } from './task-choices.js';

const VECTOR = 'def Setup():\ndef Predict(v0):\ndef Learn(v0,v1):\n';

describe('the tasks of a program that is opened', () => {
  beforeEach(() => {
    tasks.value = 'affine';
  });

  it('stay if the program takes their labels', () => {
    openBuiltin('paper/linear');
    expect(tasks.value).toBe('affine');
    openProgram({ text: VECTOR, name: 'mine', tasks: 'ten digits' });
    openProgram({ text: VECTOR, name: 'mine' });
    expect(tasks.value).toBe('ten digits');
  });

  it('are others if it does not, however it is written', () => {
    openProgram({ text: VECTOR, name: 'mine' });
    expect(tasks.value).toBe('ten digits');
    openBuiltin('paper/linear');
    expect(tasks.value).toBe(TASK_CHOICES[0]!.name);
  });

  it('stay if its text is no program', () => {
    openProgram({ text: 'def Learn(v0, v1):', name: 'mine', tasks: 'two digits' });
    expect(tasks.value).toBe('two digits');
  });
});
