// What a terminal shows of a run that has just begun.
import type { RunStatus } from '../../src/cli/run-view.js';

export const BEGUN: RunStatus = {
  title: 'linear, seed 0',
  about: '',
  phase: 'search',
  experiment: 1,
  algorithms: 0,
  trainSteps: 0,
  algorithmsPerSecond: 0,
  stepsPerSecond: 0,
  canonicalHits: 0,
  fingerprintHits: 0,
  evaluated: 0,
  cut: 0,
  overBudget: 0,
  hasFingerprint: false,
  hasHurdles: false,
  bestHistory: [],
  elapsedSeconds: 0,
  programAge: 0,
};
