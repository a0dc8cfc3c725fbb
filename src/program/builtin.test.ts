import { describe, expect, it } from 'vitest';
import { BUILTIN_NAMES, builtin, readGallery } from './builtin.js';

describe('a built-in program', () => {
  it('says in one line what it is, without the facts and without a mark of a comment', () => {
    for (const name of BUILTIN_NAMES) {
      const { about } = builtin(name)!;
      expect(about, name).toMatch(/^\w[^\n#]+[.)]?$/);
      expect(about, name).not.toMatch(/(origin|score|measured): /);
    }
    expect(builtin('paper/linear')!.about).toBe(firstComment('paper/linear'));
  });

  it('is nothing under a name that is not known, also not that of something every object has', () => {
    expect(builtin('paper/none')).toBe(undefined);
    expect(builtin('constructor')).toBe(undefined);
  });

  it('of the gallery has facts: where it is from, its score and how that is measured', () => {
    const gallery = readGallery();
    expect(gallery.map(({ name }) => name)).toEqual(BUILTIN_NAMES.filter((name) => name.startsWith('gallery/')));
    for (const { origin, score, measured } of gallery) {
      expect(origin).toMatch(/^evozero run /);
      expect(score).toBeGreaterThan(0.5);
      expect(measured).toMatch(/^eval gallery\//);
    }
  });
});

/** The comment at the top of a text, as one line. */
function firstComment(name: string): string {
  const [comment] = /^(# .*\n)+/.exec(builtin(name)!.text)!;
  return comment
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(2))
    .join(' ');
}
