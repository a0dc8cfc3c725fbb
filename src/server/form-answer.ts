// What the page makes its form for a new search of: the presets, and the schema of a configuration. Must not know requests.
import * as z from 'zod';
import { CONFIG } from '../experiment/config-schema.js';
import { PRESETS } from '../experiment/presets.js';
import { OPS } from '../ops/ops.js';
import { BUILTIN_NAMES } from '../program/builtin.js';
import { taskSetNames } from '../tasks/task-sets.js';
import type { ConfigForm, PresetList } from './api.js';

export function answerPresets(): PresetList {
  return { presets: PRESETS.map(({ name, about, config }) => ({ name, about, config })) };
}

export function answerForm(): ConfigForm {
  return {
    // Lists of ops are read by a function, of which a schema can say nothing.
    schema: z.toJSONSchema(CONFIG, { io: 'input', unrepresentable: 'any' }),
    opNames: OPS.map(({ name }) => name),
    taskSets: taskSetNames(),
    programs: BUILTIN_NAMES,
  };
}
