// `evozero explain`: what a program does, told without running it on tasks: a comment for each instruction, names for
// addresses, and the techniques that it uses with the instructions that show them. docs/explain.md says by which tests.
import type { Loss } from '../../engine/engine.js';
import { opById } from '../../ops/ops.js';
import { FUNCTION_NAMES, forFunctions, type LabelKind, type Program } from '../../program/program.js';
import { analyse, findTechniques } from './analyse.js';
import { commentsOn } from './comments.js';
import { type Explanation, type Place, TECHNIQUES, type Technique, type TechniqueName } from './explanation.js';
import { addressOf, type Value } from './flow.js';
import { liveIndices, originOf } from './origin.js';

const DEAD = 'no effect';

function comparePlaces(a: Place, b: Place): number {
  return FUNCTION_NAMES.indexOf(a.function) - FUNCTION_NAMES.indexOf(b.function) || a.index - b.index;
}

function placesOf(values: readonly Value[]): Place[] {
  return [...new Set(values)].flatMap(({ places }) => places).sort(comparePlaces);
}

/** Addresses whose instructions all say the same. */
function findNames(
  program: Program,
  names: { readonly [f in Place['function']]: readonly string[] },
): Map<string, string> {
  const found = new Map<string, Set<string>>();
  for (const name of FUNCTION_NAMES) {
    for (const [k, meaning] of names[name].entries()) {
      if (meaning === DEAD) continue;
      const { op, out } = program[name][k]!;
      const address = addressOf(opById(op).output!, out);
      found.set(address, (found.get(address) ?? new Set()).add(meaning));
    }
  }
  const agreed = [...found].filter(([, meanings]) => meanings.size === 1 && !meanings.has(''));
  return new Map(agreed.map(([address, meanings]) => [address, [...meanings][0]!]));
}

const ORDER = Object.keys(TECHNIQUES) as TechniqueName[];

/** What a program does; `loss` tells what Learn finds as the prediction (docs/explain.md). */
export function explain(program: Program, labels: LabelKind, loss?: Loss): Explanation {
  const indices = liveIndices(program, labels);
  const analysis = analyse(program, labels, loss);
  const origin = originOf(program, labels, indices);
  const toPlace = ({ function: name, index }: Place): Place => ({ function: name, index: indices[name][index]! });
  const findings = findTechniques(analysis);
  const techniques = findings
    .map(({ name, why, shownBy }): Technique => {
      const sentence = why((value) => origin.show(value));
      return {
        name,
        why: `${sentence[0]!.toUpperCase()}${sentence.slice(1)}.`,
        places: placesOf(shownBy).map(toPlace),
      };
    })
    .sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));
  const remarks = commentsOn(analysis, findings, (value) => origin.show(value));
  const spread = (of: 'comment' | 'meaning') =>
    forFunctions((name) => {
      const texts = program[name].map(() => DEAD);
      for (const [k, index] of indices[name].entries()) texts[index] = remarks[name][k]![of];
      return texts;
    });
  return { comments: spread('comment'), names: findNames(program, spread('meaning')), techniques };
}
