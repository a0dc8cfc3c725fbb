// A program as somebody looks at it: its text with comments, what changed against its parent, its techniques and the flow of its data.
import { useState } from 'preact/hooks';
import type { TechniqueName } from '../../../src/analysis/explain/explanation.js';
import { simplifyText } from '../../../src/program/simplify-text.js';
import { Check, Choice, Notice } from '../../shared/controls.js';
import {
  type ExplainedProgram,
  explainText,
  flowOf,
  linesOfPlaces,
  type ProgramContext,
} from '../../shared/explained-program.js';
import { FlowDiagram } from '../../shared/flow-diagram.js';
import { ProgramView } from '../../shared/program-view.js';
import { TechniquesList } from './techniques-list.js';

const FORMS = [
  { value: 'simplified', title: 'Simplified' },
  { value: 'raw', title: 'Raw' },
  { value: 'flow', title: 'Diagram' },
] as const;
type Form = (typeof FORMS)[number]['value'];

interface ExplainedViewProps {
  readonly label: string;
  readonly text: string;
  readonly context: ProgramContext;
  /** The program that it was made of. */
  readonly parent?: string | undefined;
}

function linesOf({ program, explanation }: ExplainedProgram, pointed: TechniqueName | undefined): Set<number> {
  const places = explanation.techniques.find(({ name }) => name === pointed)?.places ?? [];
  return linesOfPlaces(program, places);
}

export function ExplainedView({ label, text, context, parent }: ExplainedViewProps) {
  const [form, setForm] = useState<Form>('simplified');
  const [isDiff, setDiff] = useState(false);
  const [pointed, setPointed] = useState<TechniqueName | undefined>(undefined);
  const shownText = form === 'raw' ? text : simplifyText(text, context.memory);
  const explained = explainText(shownText, context);
  if ('problem' in explained) {
    return (
      <>
        <Notice tone="warn">{explained.problem}</Notice>
        <ProgramView label={label} text={text} />
      </>
    );
  }
  const before = parent === undefined ? undefined : form === 'raw' ? parent : simplifyText(parent, context.memory);
  const { explanation, comments } = explained;
  return (
    <div class="explained">
      <div class="row">
        <Choice label="Form of the program" isLabelHidden options={FORMS} value={form} onChange={setForm} />
        {before !== undefined && form !== 'flow' && (
          <Check label="what changed" isChecked={isDiff} onChange={setDiff} />
        )}
      </div>
      {form === 'flow' ? (
        <FlowDiagram graph={flowOf(explained)} />
      ) : (
        <ProgramView
          label={label}
          text={explained.text}
          against={isDiff ? before : undefined}
          comments={comments}
          marked={linesOf(explained, pointed)}
        />
      )}
      <TechniquesList techniques={explanation.techniques} pointed={pointed} onPoint={setPointed} />
    </div>
  );
}
