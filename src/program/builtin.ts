// The programs that come with evozero, by name: the paper's, and a gallery of those that our own runs discovered. Their texts are the
// .alg files in builtin/ and in programs/, which `npm run docs` copies into a module, because a browser has no files. Must not know files.
import { BUILTIN_TEXTS } from './builtin-texts.js';
import { type ProgramSource, parseSource } from './parse.js';

/** A built-in program. */
export interface Builtin extends ProgramSource {
  readonly name: string;
  /** What it is, from the comment that its text begins with. */
  readonly about: string;
  readonly text: string;
}

/** The names of the built-in programs: of the paper, and of the gallery. */
export const BUILTIN_NAMES: readonly string[] = Object.keys(BUILTIN_TEXTS);

/** Facts about a program of the gallery, each on a line of the comment that its text begins with: `# origin: evozero run linear`. */
const FACTS = ['origin', 'score', 'measured'] as const;
type Fact = (typeof FACTS)[number];

interface Opening {
  readonly about: string;
  readonly facts: Readonly<Partial<Record<Fact, string>>>;
}

/** The comment lines at the top of a program's text: the facts, and everything else as one line. */
function readOpening(text: string): Opening {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('#'));
  const about: string[] = [];
  const facts: Partial<Record<Fact, string>> = {};
  for (const line of lines.slice(0, end).map((each) => each.replace(/^#\s*/, ''))) {
    const fact = FACTS.find((name) => line.startsWith(`${name}: `));
    if (fact === undefined) about.push(line);
    else facts[fact] = line.slice(fact.length + 2);
  }
  return { about: about.join(' '), facts };
}

/** The built-in program of a name; nothing if there is none. */
export function builtin(name: string): Builtin | undefined {
  const text = Object.hasOwn(BUILTIN_TEXTS, name) ? BUILTIN_TEXTS[name] : undefined;
  return text === undefined ? undefined : { name, about: readOpening(text).about, text, ...parseSource(text) };
}

export interface GalleryProgram extends Builtin {
  /** The command that found it. */
  readonly origin: string;
  /** Mean fitness on unseen tasks, as the command below measures it. */
  readonly score: number;
  readonly measured: string;
}

/** What our own runs discovered. */
export function readGallery(): GalleryProgram[] {
  return BUILTIN_NAMES.filter((name) => name.startsWith('gallery/')).map((name) => {
    const found = builtin(name)!;
    const { origin, score, measured } = readOpening(found.text).facts;
    return { ...found, origin: origin ?? '', score: Number(score), measured: measured ?? '' };
  });
}
