// The Web Worker for somebody's own table, which never leaves the page. The page's end is data-state.ts.
import '../quiet-zod.js';
import { serveCalls } from '../connection/worker-calls.js';
import { dataHandlers } from './fit-data.js';

export type DataHandlers = typeof dataHandlers;

serveCalls(dataHandlers);
