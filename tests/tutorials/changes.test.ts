// Tutorials that change the code: their changes are made in a copy of the tree, which is compiled and used as they say. One copy with the
// changes of all, which touch different files, because compiling takes longest.
import { expect, it } from 'vitest';
import { copyTree } from '../support/tree-copy.js';
import { applyChanges, runTutorial } from '../support/tutorial.js';

const TUTORIALS = ['new-op', 'new-task-family'];
const tree = copyTree();
for (const name of TUTORIALS) applyChanges(name, tree);

it.each(TUTORIALS)('%s', (name) => {
  expect(runTutorial(name, { place: tree, tree }).length).toBeGreaterThan(2);
});
