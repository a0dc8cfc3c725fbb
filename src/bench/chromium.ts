// Where Chromium is on this machine, and how it is started without a screen: for what is measured and tested in a real browser. Must not
// know pages.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** On PATH. As in scripts/system-packages.js, which installs the first. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Also as root in a container, and without calls to anybody. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** For `chromium.launch` of playwright-core; undefined if there is none. */
export function findChromium(): { readonly executablePath: string; readonly args: string[] } | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const executablePath = places.find((place) => existsSync(place));
  return executablePath === undefined ? undefined : { executablePath, args: FLAGS };
}
