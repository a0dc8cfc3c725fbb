// The main experiment, searched by our own method (docs/discovery.md): many programs of many kinds live side by side.
import type { ConfigInput } from '../config.js';
import { main } from './main.js';

export const mainEvozero = {
  ...main,
  about: 'Searches from empty programs with nearly all ops on real images (section 4.2) by our own method, evozero.',
  search: { ...main.search, method: 'evozero', population: 1000, tournament: 3 },
} satisfies ConfigInput;
