// Tasks in memory that all threads share. Must not know what is done with them.
import type { Examples, Task } from '../engine/engine.js';

function shareNumbers(numbers: Float64Array): Float64Array {
  if (numbers.buffer instanceof SharedArrayBuffer) return numbers;
  const shared = new Float64Array(new SharedArrayBuffer(numbers.byteLength));
  shared.set(numbers);
  return shared;
}

function shareExamples({ count, features, labels }: Examples): Examples {
  return { count, features: shareNumbers(features), labels: shareNumbers(labels) };
}

/** Each is copied once, whatever number of threads it goes to. */
const shared = new WeakMap<Task, Task>();

export function shareTask(task: Task): Task {
  const known = shared.get(task);
  if (known !== undefined) return known;
  const copy = { ...task, train: shareExamples(task.train), valid: shareExamples(task.valid) };
  shared.set(task, copy);
  return copy;
}
