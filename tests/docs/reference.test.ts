// The pages about commands, configurations and campaigns are what the code and the kept outcomes say.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
// @ts-expect-error: a plain JavaScript file without types
import { campaignsPage } from '../../scripts/reference/campaigns.js';
// @ts-expect-error: a plain JavaScript file without types
import { commandsPage } from '../../scripts/reference/commands.js';
// @ts-expect-error: a plain JavaScript file without types
import { configPage } from '../../scripts/reference/config.js';
import { createCli } from '../../src/cli/main.js';
import { CONFIG } from '../../src/experiment/config-schema.js';
import { ROOT } from '../support/cli.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

it('docs/reference/commands.md is what the commands say (npm run docs)', async () => {
  expect(read('docs/reference/commands.md')).toBe(commandsPage(await createCli([])));
});

it('docs/reference/config.md is what the schema says (npm run docs)', () => {
  const page: string = configPage(z.toJSONSchema(CONFIG, { io: 'input', unrepresentable: 'any' }));
  expect(read('docs/reference/config.md')).toBe(page);
});

it('no field of a configuration and no flag is without a description', () => {
  const pages = read('docs/reference/config.md') + read('docs/reference/commands.md');
  expect(pages.split('\n').filter((line) => /\|\s+\|/.test(line))).toEqual([]);
});

it('docs/reference/campaigns.md is what results/campaigns says (npm run docs)', () => {
  expect(read('docs/reference/campaigns.md')).toBe(campaignsPage(ROOT));
});
