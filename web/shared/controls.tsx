// The small things that pages are made of: buttons, choices, badges, notices, cards and figures. Must not know what they are for.
import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { copyText } from './copy-text.js';

/** One that submits the form around it needs no more: the form says what happens then. */
type ButtonAction =
  | { readonly type?: 'button'; readonly onClick: () => void }
  | { readonly type: 'submit'; readonly onClick?: undefined };

type ButtonProps = ButtonAction & {
  readonly children: ComponentChildren;
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly isDisabled?: boolean;
  /** For those who do not see what is on it. */
  readonly label?: string;
};

export function Button({ onClick, children, kind = 'plain', isDisabled = false, label, type = 'button' }: ButtonProps) {
  return (
    <button type={type} class={`button ${kind}`} disabled={isDisabled} onClick={onClick} aria-label={label}>
      {children}
    </button>
  );
}

const COPIED_MS = 1500;

/** Puts a text on the clipboard. Where that cannot be done, it says so. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  const timer = useRef(0);
  const copy = async () => {
    setState((await copyText(text)) ? 'copied' : 'failed');
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setState('ready'), COPIED_MS);
  };
  return (
    <Button onClick={copy}>
      <span aria-live="polite">
        {state === 'copied' ? 'Copied' : state === 'failed' ? 'Select and copy it yourself' : label}
      </span>
    </Button>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: T; readonly title: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  /** Whether the label is for readers of the screen only. */
  readonly isLabelHidden?: boolean;
}

/** One of a few, all in sight. */
export function Choice<T extends string>({ label, options, value, onChange, isLabelHidden }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend class={isLabelHidden ? 'unseen' : ''}>{label}</legend>
      <span class="options">
        {options.map((option) => (
          <label key={option.value} class={option.value === value ? 'chosen' : ''}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.title}
          </label>
        ))}
      </span>
    </fieldset>
  );
}

interface CheckProps {
  readonly label: ComponentChildren;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export function Check({ label, isChecked, onChange }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

export type Tone = 'neutral' | 'good' | 'bad' | 'live' | 'warn';

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** A line or two that stands out. `isAlert` has readers of the screen told at once. */
export function Notice(props: {
  readonly tone: Tone;
  readonly children: ComponentChildren;
  readonly isAlert?: boolean;
}) {
  return (
    <div class={`notice ${props.tone}`} role={props.isAlert ? 'alert' : undefined}>
      {props.children}
    </div>
  );
}

interface CardProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** At the right of the title. */
  readonly actions?: ComponentChildren;
  /** More classes, for the place in a layout. */
  readonly place?: string;
}

export function Card({ title, children, actions, place = '' }: CardProps) {
  const id = useId();
  return (
    <section class={`card ${place}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

export interface Figure {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly note?: string;
}

/** A row of numbers with what they are. */
export function Figures({ items }: { readonly items: readonly Figure[] }) {
  return (
    <dl class="figures">
      {items.map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value}
            {note !== undefined && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What stands where there is nothing. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
