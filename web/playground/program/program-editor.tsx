// A field for program text with line numbers, colours and the place of the first mistake. The coloured text lies below a plain text
// field of the same size, so that typing, selecting and reading aloud are the browser's own.
import { useId } from 'preact/hooks';
import { Words } from '../../shared/program-view.js';

interface ProgramEditorProps {
  readonly label: string;
  readonly text: string;
  readonly onInput: (text: string) => void;
  /** Lines and columns count from 1. */
  readonly mistake?: { readonly line: number; readonly column: number; readonly problem: string } | undefined;
}

export function ProgramEditor({ label, text, onInput, mistake }: ProgramEditorProps) {
  const id = useId();
  const lines = text.split('\n');
  return (
    <div class="editor">
      <div class="editor-scroll">
        <div class="gutter" aria-hidden="true">
          {lines.map((_, k) => (
            <span key={k} class={mistake?.line === k + 1 ? 'wrong' : ''}>
              {k + 1}
            </span>
          ))}
        </div>
        <div class="editor-text">
          <pre class="program-text" aria-hidden="true">
            {lines.map((line, k) => (
              <span key={k} class={mistake?.line === k + 1 ? 'wrong' : ''}>
                <Words line={line} />
                {'\n'}
              </span>
            ))}
          </pre>
          <textarea
            aria-label={label}
            aria-invalid={mistake !== undefined}
            aria-describedby={mistake === undefined ? undefined : id}
            spellcheck={false}
            autocomplete="off"
            autocapitalize="off"
            wrap="off"
            value={text}
            onInput={({ currentTarget }) => onInput(currentTarget.value)}
          />
        </div>
      </div>
      <p id={id} class="problem" aria-live="polite" data-testid="mistake">
        {mistake !== undefined && (
          <>
            Line {mistake.line}, column {mistake.column}: {mistake.problem}
          </>
        )}
      </p>
    </div>
  );
}
