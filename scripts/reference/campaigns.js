// docs/reference/campaigns.md: how each campaign of docs/reliability.md ended when it was kept the last time, from results/campaigns. Must not
// know what campaigns try.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const HEAD = `# Campaigns

Made from \`results/campaigns\` by \`npm run docs\`; do not edit. What each campaign tries is in [reliability](../reliability.md). These are the outcomes that were
kept last, by \`--keep\`, on the machine that each names.
`;

function cell(text) {
  return String(text).replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('_', '\\_');
}

function duration(seconds) {
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} minutes`;
}

function section(root, { campaign, date, machine, seconds, held, failed, inputs, part = 1, cases }) {
  const tried = inputs === undefined ? '' : ` ${inputs.toLocaleString('en-US')} inputs.`;
  const drawn = part === 1 ? '' : ` Changes in ${Math.round(100 * part)} % of the lines, drawn at random.`;
  const picture = existsSync(join(root, `docs/pictures/${campaign}.svg`))
    ? `\n![How it went](../pictures/${campaign}.svg)\n`
    : '';
  const rows = cases.map((one) => `| ${cell(one.what)} | ${one.held ? 'held' : '**failed**'} | ${cell(one.note)} |\n`);
  return `
## ${campaign}

${held} held, ${failed} failed, in ${duration(seconds)}, on ${date}; ${cell(machine)}.${tried}${drawn}
${picture}
| case | outcome | |
| --- | --- | --- |
${rows.join('')}`;
}

/** The page of all outcomes in results/campaigns. */
export function campaignsPage(root) {
  const folder = join(root, 'results/campaigns');
  const outcomes = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  return HEAD + outcomes.map((outcome) => section(root, outcome)).join('');
}
