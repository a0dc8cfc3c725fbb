// The best program of a run: its text raw or simplified, what changed since its parent, what each line does, which techniques it
// uses, and how its data flow.
import { useMemo, useState } from 'preact/hooks';
import { graphOf } from '../../src/analysis/diagram/graph.js';
import { ProgramTextError } from '../../src/program/lexer.js';
import { parseSource } from '../../src/program/parse.js';
import type { BestProgram, TechniqueNote } from '../../src/server/api.js';
import { Card, Check, Choice, CopyButton, Empty, Notice } from '../shared/controls.js';
import { commentsByLine, linesOfPlaces, type ProgramContext } from '../shared/explained-program.js';
import { FlowDiagram } from '../shared/flow-diagram.js';
import { count, shortFitness } from '../shared/format.js';
import { ProgramView } from '../shared/program-view.js';
import type { OpenRun } from './open-run.js';

type Program = NonNullable<BestProgram['program']>;
type Form = 'simplified' | 'raw';

function Techniques(props: {
  readonly techniques: readonly TechniqueNote[];
  readonly shown: string | undefined;
  readonly onShow: (name: string | undefined) => void;
}) {
  if (props.techniques.length === 0) return <Empty>No known technique was recognised.</Empty>;
  return (
    <ul class="techniques">
      {props.techniques.map(({ name, title, why }) => {
        const isShown = props.shown === name;
        return (
          <li key={name}>
            <button
              type="button"
              aria-pressed={isShown}
              title="Mark its lines in the program"
              onClick={() => props.onShow(isShown ? undefined : name)}
            >
              {title}
            </button>
            <p>{why}</p>
          </li>
        );
      })}
    </ul>
  );
}

function Flow({ program, context }: { readonly program: Program; readonly context: ProgramContext }) {
  const { simplified, labels, isExplained } = program;
  const graph = useMemo(() => {
    try {
      const source = parseSource(simplified.text, context.memory);
      const explanation = { ...simplified, names: new Map(Object.entries(simplified.names)) };
      return graphOf(source.program, labels, explanation);
    } catch (error) {
      if (error instanceof ProgramTextError) return undefined;
      throw error;
    }
    // The names of addresses come later than the text.
  }, [simplified.text, labels, isExplained, context]);
  if (graph === undefined || graph.nodes.length < 2) return <Empty>There is no flow of data to draw.</Empty>;
  return <FlowDiagram graph={graph} />;
}

function ProgramCard({ program }: { readonly program: Program }) {
  const [form, setForm] = useState<Form>('simplified');
  const [isDiff, setDiff] = useState(false);
  const [shown, setShown] = useState<string | undefined>(undefined);
  const text = program[form];
  const { parent, fitness, origin } = program;
  const technique = text.techniques.find(({ name }) => name === shown);
  return (
    <>
      <Card
        title="Best program"
        actions={
          <>
            {parent !== null && <Check label="Changes since its parent" isChecked={isDiff} onChange={setDiff} />}
            <Choice
              label="Form"
              isLabelHidden
              options={[
                { value: 'simplified', title: 'Simplified' },
                { value: 'raw', title: 'Raw' },
              ]}
              value={form}
              onChange={setForm}
            />
            <CopyButton text={text.text} />
          </>
        }
      >
        <ProgramView
          label="Best program"
          text={text.text}
          comments={commentsByLine(text.comments)}
          against={isDiff ? parent?.[form] : undefined}
          marked={linesOfPlaces(text.comments, technique?.places ?? [])}
        />
        <p class="soft under">
          {count(text.instructions, 'instruction')}
          {form === 'simplified' && ` of ${program.raw.instructions} that were found`}
          {fitness !== null && ` · fitness ${shortFitness(fitness)}`}
          {origin !== null && ` · made by ${origin}`}
          {isDiff && parent?.fitness != null && ` · parent had ${shortFitness(parent.fitness)}`}
        </p>
        {program.remark !== null && <Notice tone="warn">{program.remark}</Notice>}
      </Card>
      <Card title="What it does">
        <Techniques techniques={text.techniques} shown={shown} onShow={setShown} />
        {program.latex.trim() !== '' && (
          <details class="under">
            <summary>Its algebra, in LaTeX</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <pre class="listing" tabIndex={0}>
              {program.latex.trimEnd()}
            </pre>
          </details>
        )}
      </Card>
    </>
  );
}

interface ProgramTabProps {
  readonly run: OpenRun;
  readonly context: ProgramContext;
}

export function ProgramTab({ run, context }: ProgramTabProps) {
  const answer = run.program.value;
  if (answer === undefined) return <Empty>Loading …</Empty>;
  const { program, problem } = answer;
  if (program === null) return <Notice tone="neutral">{problem ?? 'No program was found yet.'}</Notice>;
  return (
    <div class="columns">
      <div class="stack">
        <ProgramCard program={program} />
      </div>
      <Card title="Flow of data">
        <Flow program={program} context={context} />
      </Card>
    </div>
  );
}
