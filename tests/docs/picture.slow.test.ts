// The first picture in the README is what the search finds and the report draws; the other takes minutes, and is not drawn here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error: a plain JavaScript file without types
import { drawPicture } from '../../scripts/picture.js';
import { ROOT } from '../support/cli.js';

it('is drawn as it stands (npm run picture)', () => {
  expect(drawPicture('first-search')).toBe(readFileSync(join(ROOT, 'docs/pictures/first-search.svg'), 'utf8'));
});
