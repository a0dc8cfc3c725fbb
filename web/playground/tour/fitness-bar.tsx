// One fitness as a bar from 0 to 1, with its name. Must not know where it comes from.
interface FitnessBarProps {
  readonly name: string;
  /** Nothing while it is measured. */
  readonly fitness: number | undefined;
  readonly text: string;
}

export function FitnessBar({ name, fitness, text }: FitnessBarProps) {
  return (
    <div class="fitness-bar" data-testid="fitness-bar">
      <span class="bar-name">{name}</span>
      <span class="bar-track" aria-hidden="true">
        <span style={{ width: `${100 * Math.max(0, fitness ?? 0)}%` }} />
      </span>
      <b aria-live="polite">{fitness === undefined ? '…' : text}</b>
    </div>
  );
}
