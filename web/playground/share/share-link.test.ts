import { describe, expect, it } from 'vitest';
import { presets } from '../../../src/experiment/presets.js';
import { builtin } from '../../../src/program/builtin.js';
import { LinkError, readLink, type Shared, writeLink } from './share-link.js';

const program: Shared = {
  kind: 'program',
  name: '<img src=x onerror=alert(1)> ü',
  text: builtin('paper/evolved')!.text,
  tasks: 'linear',
};

/** A link with any content. */
function linkTo(content: unknown): Promise<string> {
  return writeLink(content as Shared);
}

describe('links', () => {
  it('hold a program or a search', async () => {
    for (const shared of [program, { kind: 'search', config: { ...presets.digits, seed: 9 } }] as const) {
      const link = await writeLink(shared);
      expect(link).toMatch(/^[\w-]+$/);
      expect(await readLink(link)).toEqual(shared);
    }
  });

  it('are short enough to be sent', async () => {
    for (const config of Object.values(presets)) {
      expect((await writeLink({ kind: 'search', config })).length).toBeLessThan(2000);
    }
  });

  it('are refused if they are damaged', async () => {
    const link = await writeLink(program);
    await expect(readLink(link.slice(0, -20))).rejects.toThrow(LinkError);
    await expect(readLink('!')).rejects.toThrow(LinkError);
    await expect(readLink('')).rejects.toThrow(LinkError);
    await expect(readLink('A'.repeat(30_000))).rejects.toThrow('too long');
  });

  it('are refused if they unpack to very much', async () => {
    const bomb = await linkTo({ ...program, text: '#'.repeat(5_000_000) });
    expect(bomb.length).toBeLessThan(20_000);
    await expect(readLink(bomb)).rejects.toThrow('more than a program');
  });

  it('are refused if what they hold is not what it should be', async () => {
    await expect(readLink(await linkTo({ v: 2, kind: 'program' }))).rejects.toThrow('version 2');
    await expect(readLink(await linkTo({ kind: 'page' }))).rejects.toThrow('no program and no search');
    await expect(readLink(await linkTo({ ...program, text: 7 }))).rejects.toThrow('no program');
    await expect(readLink(await linkTo({ ...program, text: 'def Setup():\n  s1 = nothing(s2)' }))).rejects.toThrow(
      'unknown op',
    );
    const wrong = { ...presets.linear, search: { ...presets.linear.search, population: -1 } };
    await expect(readLink(await linkTo({ kind: 'search', config: wrong }))).rejects.toThrow('search.population');
    const file = { ...presets.linear, search: { ...presets.linear.search, initial: ['/etc/passwd.alg'] } };
    await expect(readLink(await linkTo({ kind: 'search', config: file }))).rejects.toThrow('names a file');
  });
});
