// Every engine, in one list: the command and the tests that compare engines take them from here.
import type { Engine } from './engine.js';
import { interpreter } from './interpreter.js';

export const ENGINES: readonly Engine[] = [interpreter];
