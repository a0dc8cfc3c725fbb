// The techniques of a program, each with the sentence that says where. Pointing at one shows its lines. Must not know how they are
// found.
import { TECHNIQUES, type Technique } from '../../../src/analysis/explain/explanation.js';

interface TechniquesListProps {
  readonly techniques: readonly Technique[];
  /** The one whose lines are shown. */
  readonly pointed?: Technique['name'] | undefined;
  readonly onPoint?: (name: Technique['name'] | undefined) => void;
}

export function TechniquesList({ techniques, pointed, onPoint }: TechniquesListProps) {
  if (techniques.length === 0) {
    return <p class="soft">No technique that has a name, so far.</p>;
  }
  return (
    <ul class="techniques">
      {techniques.map(({ name, why }) => (
        <li key={name}>
          {onPoint === undefined ? (
            <b>{TECHNIQUES[name]}</b>
          ) : (
            <button
              type="button"
              aria-pressed={name === pointed}
              onClick={() => onPoint(name === pointed ? undefined : name)}
            >
              {TECHNIQUES[name]}
            </button>
          )}
          <span>{why}</span>
        </li>
      ))}
    </ul>
  );
}
