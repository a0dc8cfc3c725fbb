// One mutation of a program, by the mutations of the search, in a space with all ops. Must not know fitness.
import { MUTATION_SETS, type MutationName, Mutator } from '../../../src/evolve/mutations.js';
import { SearchSpace } from '../../../src/evolve/search-space.js';
import { OPS } from '../../../src/ops/ops.js';
import type { Op } from '../../../src/ops/types.js';
import {
  forFunctions,
  type LabelKind,
  type MemorySizes,
  memoryNeeded,
  type Program,
} from '../../../src/program/program.js';
import { FastRandom } from '../../../src/util/fast-random.js';

export interface Mutated {
  readonly program: Program;
  readonly mutation: MutationName;
  /** False if the mutation was impossible, or drew what there was before. */
  readonly isChanged: boolean;
}

/** Room to grow. */
const MORE_INSTRUCTIONS = 20;
const LEAST_MEMORY: MemorySizes = { scalars: 5, vectors: 5, matrices: 2 };

/** Setup draws from the ops that make numbers out of nothing, the others from those that compute, as in the paper. */
function isMaking({ output, inputs }: Op): boolean {
  return output !== undefined && inputs.length === 0;
}

function roomFor(program: Program, labels: LabelKind): MemorySizes {
  const { scalars, vectors, matrices } = memoryNeeded(program, labels);
  return {
    scalars: Math.max(scalars, LEAST_MEMORY.scalars),
    vectors: Math.max(vectors, LEAST_MEMORY.vectors),
    matrices: Math.max(matrices, LEAST_MEMORY.matrices),
  };
}

/** `kind` draws one if not given; `features` bounds element indices. */
export function mutateProgram(
  program: Program,
  labels: LabelKind,
  { kind, features, seed }: { readonly kind?: MutationName; readonly features: number; readonly seed: number },
): Mutated {
  const space = new SearchSpace({
    memory: roomFor(program, labels),
    features,
    labels,
    functions: forFunctions((name) => ({
      ops: OPS.filter((op) => isMaking(op) === (name === 'setup')).map(({ id }) => id),
      min: 0,
      max: program[name].length + MORE_INSTRUCTIONS,
    })),
    base: program,
  });
  const store = space.makeStore(1);
  store.write(0, program);
  const random = new FastRandom(seed);
  const mutator = new Mutator(space, MUTATION_SETS.released);
  const mutation = kind ?? mutator.choose(random);
  const isChanged = mutator.apply(mutation, store, 0, random);
  return { program: store.read(0), mutation, isChanged };
}
