// What a section is called, if it has a name: the techniques that it shows or is a part of. Must not know how they are recognized.
import type { Explanation, Place, TechniqueName } from '../explain/explanation.js';
import type { DataFlow } from './data-flow.js';

function isIn(place: Place, places: readonly Place[]): boolean {
  return places.some((other) => other.function === place.function && other.index === place.index);
}

/** Of an explanation of the whole program: what the section has half of or more, and what all of the section belongs to. */
export function nameTechniques(
  { nodes }: DataFlow,
  section: readonly number[],
  { techniques }: Explanation,
): TechniqueName[] {
  const own = section.map((node) => nodes[node]!.place);
  const isNamed = (places: readonly Place[]) => {
    const shared = places.filter((place) => isIn(place, own)).length;
    return 2 * shared >= places.length || shared === own.length;
  };
  return techniques.filter(({ places }) => isNamed(places)).map(({ name }) => name);
}
