// Every benchmark, in the order in which they run, in one list. Must not know commands.

import { COST_FEATURES } from '../engine/op-costs.js';
import { OPS } from '../ops/ops.js';
import { BUILD_TASKS } from './build-tasks.js';
import { CHROMIUM_SEARCH } from './chromium-search.js';
import { DASHBOARD_LOAD } from './dashboard-load.js';
import { DISCOVERY } from './discovery.js';
import { ENTERING } from './entering.js';
import { EXCHANGE } from './exchange.js';
import { ISLANDS } from './islands.js';
import { LAYOUTS } from './layouts.js';
import { NETWORK_STEPS } from './network-step.js';
import { measureOpCosts } from './op-costs.js';
import { SEARCHES } from './search.js';
import { TUNING } from './tuning.js';
import { WHOLE_IMAGES } from './whole-images.js';
import type { Workload } from './workloads.js';

const OP_COSTS: readonly Workload[] = COST_FEATURES.map((features) => ({
  name: `op-costs-f${features}`,
  about: `each of the ${OPS.length} ops at ${features} features, for one of 10 tasks, f64`,
  run: () =>
    measureOpCosts(features).map(({ op, ns }) => ({
      name: `op-costs-f${features}/${op.name}`,
      metric: 'ns for one task',
      value: ns,
      vsOriginal: null,
    })),
}));

export const WORKLOADS: readonly Workload[] = [
  ...SEARCHES,
  ...DISCOVERY,
  ...CHROMIUM_SEARCH,
  ...ISLANDS,
  ...EXCHANGE,
  ...DASHBOARD_LOAD,
  ...TUNING,
  ...WHOLE_IMAGES,
  ...NETWORK_STEPS,
  ...ENTERING,
  ...BUILD_TASKS,
  ...LAYOUTS,
  ...OP_COSTS,
];
