// Program text with colours for its words, comments beside its lines and, if asked for, what changed against another program. Text
// from anywhere is safe here: it is only ever put on the page as text.
import { diffLines } from './diff-lines.js';
import { readTokens } from './program-tokens.js';

interface ProgramViewProps {
  /** Names the text, for readers of the screen. */
  readonly label: string;
  readonly text: string;
  /** Another program, to mark the lines that came and went since. */
  readonly against?: string | undefined;
  /** What each line of `text` does; empty where there is nothing to say. */
  readonly comments?: readonly string[] | undefined;
  /** Lines of `text` to point at, from 0 on. */
  readonly marked?: ReadonlySet<number> | undefined;
}

/** The words of a line, in their colours. */
export function Words({ line }: { readonly line: string }) {
  return (
    <>
      {readTokens(line).map(({ kind, text }, k) =>
        kind === 'plain' ? (
          text
        ) : (
          <span key={k} class={kind}>
            {text}
          </span>
        ),
      )}
    </>
  );
}

function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}

export function ProgramView({ label, text, against, comments, marked }: ProgramViewProps) {
  const lines = linesOf(text);
  const diff = diffLines(against === undefined ? lines : linesOf(against), lines);
  let at = 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class={`program ${against === undefined ? '' : 'diff'}`} tabIndex={0} aria-label={label}>
      {diff.map((line, k) => {
        const index = line.kind === 'removed' ? undefined : at++;
        const comment = index === undefined ? '' : (comments?.[index] ?? '');
        const Element = line.kind === 'added' ? 'ins' : line.kind === 'removed' ? 'del' : 'div';
        return (
          <Element key={k} class={`line ${index !== undefined && marked?.has(index) ? 'marked' : ''}`}>
            <code>{line.text === '' ? ' ' : <Words line={line.text} />}</code>
            {comment !== '' && <i># {comment}</i>}
          </Element>
        );
      })}
    </section>
  );
}
