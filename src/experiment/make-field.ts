// Where a run searches if nothing else is said: in this thread.
import type { OpenTasks } from '../tasks/open-tasks.js';
import { Archipelago } from './archipelago.js';
import type { Config } from './config.js';
import type { Field } from './field.js';
import { islandCount } from './groups.js';
import { IslandHost } from './island-host.js';
import { LocalField } from './local-field.js';

export function makeField(config: Config, openTasks: OpenTasks): Field {
  return islandCount(config) === 1
    ? new LocalField(config, openTasks)
    : new Archipelago(config, openTasks, [new IslandHost()]);
}
