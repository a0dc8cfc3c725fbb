// The form of a configuration: one input for each field of the schema, with what is wrong beside it. Must not know which settings
// there are.
import { useId, useState } from 'preact/hooks';
import type { ApiError, ConfigForm } from '../../src/server/api.js';
import { Check } from '../shared/controls.js';
import { type Field, getAt, type Path, setAt } from './config-fields.js';

type Issues = NonNullable<ApiError['issues']>;

interface FormContext {
  readonly config: unknown;
  readonly onChange: (config: unknown) => void;
  readonly issues: Issues;
  readonly form: ConfigForm;
}

function problemAt(issues: Issues, path: Path): string | undefined {
  const isHere = (at: readonly (string | number)[]) => path.every((name, k) => String(at[k]) === name);
  return issues.find((issue) => isHere(issue.path))?.message;
}

/** Known names for a field that takes one. */
function suggestionsFor({ path }: Field, form: ConfigForm): readonly string[] {
  const name = path.at(-1);
  if (name === 'set') return form.taskSets;
  if (name === 'ops') return form.opNames;
  return name === 'base' || name === 'initial' ? form.programs : [];
}

function listText(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : value === undefined ? '' : String(value);
}

function readList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

interface TextInputProps {
  readonly id: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly listId?: string | undefined;
  readonly describedBy: string | undefined;
}

/** Keeps what is typed until it is left, so that a comma at the end does not vanish. */
function TextInput({ id, text, onText, listId, describedBy }: TextInputProps) {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  return (
    <input
      id={id}
      type="text"
      value={typed ?? text}
      list={listId}
      aria-describedby={describedBy}
      aria-invalid={describedBy !== undefined}
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        onText(event.currentTarget.value);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}

function JsonInput(props: {
  readonly id: string;
  readonly value: unknown;
  /** Undefined if the text says nothing. */
  readonly onValue: (value: unknown) => void;
}) {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [isWrong, setWrong] = useState(false);
  const read = (text: string) => {
    setTyped(text);
    try {
      props.onValue(text.trim() === '' ? undefined : JSON.parse(text));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <>
      <textarea
        id={props.id}
        rows={2}
        value={typed ?? JSON.stringify(props.value)}
        aria-invalid={isWrong}
        onInput={(event) => read(event.currentTarget.value)}
        onBlur={() => !isWrong && setTyped(undefined)}
      />
      {isWrong && <small class="problem">This is no JSON.</small>}
    </>
  );
}

function FieldInput({
  field,
  context,
}: {
  readonly field: Exclude<Field, { kind: 'group' }>;
  readonly context: FormContext;
}) {
  const id = useId();
  const { config, onChange, issues, form } = context;
  const value = getAt(config, field.path);
  const problem = problemAt(issues, field.path);
  const set = (next: unknown) => onChange(setAt(config, field.path, next));
  const describedBy = problem === undefined ? undefined : `${id}-problem`;
  const suggestions = suggestionsFor(field, form);
  const text = value == null ? '' : String(value);
  const numberOf = (typed: string) => (typed === '' ? field.empty : Number(typed));
  if (field.kind === 'switch') {
    return (
      <div class="field">
        <Check label={field.title} isChecked={value === true} onChange={set} />
        {problem !== undefined && <small class="problem">{problem}</small>}
      </div>
    );
  }
  return (
    <div class={`field ${field.kind}`}>
      <label for={id}>{field.title}</label>
      {field.kind === 'choice' && (
        <select
          id={id}
          value={text}
          aria-describedby={describedBy}
          onChange={(event) => set(event.currentTarget.value)}
        >
          {value === undefined && <option value="">default</option>}
          {field.options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      )}
      {field.kind === 'number' && (
        <input
          id={id}
          type="number"
          step={field.isWhole ? 1 : 'any'}
          min={field.least}
          max={field.most}
          placeholder={field.empty === null ? 'none' : 'default'}
          value={text}
          aria-describedby={describedBy}
          aria-invalid={problem !== undefined}
          onInput={(event) => set(numberOf(event.currentTarget.value))}
        />
      )}
      {field.kind === 'text' && (
        <TextInput
          id={id}
          text={text}
          onText={(typed) => set(typed === '' ? field.empty : typed)}
          listId={suggestions.length > 0 ? `${id}-known` : undefined}
          describedBy={describedBy}
        />
      )}
      {field.kind === 'list' && (
        <TextInput id={id} text={listText(value)} onText={(typed) => set(readList(typed))} describedBy={describedBy} />
      )}
      {field.kind === 'json' && <JsonInput id={id} value={value} onValue={set} />}
      {field.kind === 'text' && suggestions.length > 0 && (
        <datalist id={`${id}-known`}>
          {suggestions.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
      {problem !== undefined && (
        <small class="problem" id={`${id}-problem`}>
          {problem}
        </small>
      )}
    </div>
  );
}

/** A group inside of a section. One that may be null has a switch. */
function GroupInput({
  field,
  context,
}: {
  readonly field: Extract<Field, { kind: 'group' }>;
  readonly context: FormContext;
}) {
  const { config, onChange } = context;
  const value = getAt(config, field.path);
  const [last, setLast] = useState<unknown>({});
  const isOff = field.empty === null && value == null;
  const toggle = (isOn: boolean) => {
    if (!isOn) setLast(value);
    onChange(setAt(config, field.path, isOn ? last : null));
  };
  return (
    <fieldset class="group">
      <legend>
        {field.empty === null ? <Check label={field.title} isChecked={!isOff} onChange={toggle} /> : field.title}
      </legend>
      {!isOff && <FieldList fields={field.fields} context={context} />}
    </fieldset>
  );
}

export function FieldList({ fields, context }: { readonly fields: readonly Field[]; readonly context: FormContext }) {
  const isGroup = (field: Field): field is Extract<Field, { kind: 'group' }> => field.kind === 'group';
  return (
    <div class="fields">
      {fields.map((field) =>
        isGroup(field) ? (
          <GroupInput key={field.path.join('.')} field={field} context={context} />
        ) : (
          <FieldInput key={field.path.join('.')} field={field} context={context} />
        ),
      )}
    </div>
  );
}
