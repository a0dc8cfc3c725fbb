// The Web Worker for single programs and for the demonstrations of the tour. The page's end is lab-client.ts.
import '../quiet-zod.js';
import { serveCalls } from '../connection/worker-calls.js';
import { demoHandlers } from '../tour/demos.js';
import { labHandlers } from './lab.js';

const handlers = { ...labHandlers, ...demoHandlers };
export type LabHandlers = typeof handlers;

serveCalls(handlers);
