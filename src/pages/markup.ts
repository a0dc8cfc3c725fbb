// HTML and SVG text in which nothing but what was written here as markup is markup: every value put into it is escaped. Must not
// know what pages say.

// A symbol: no value that was read from JSON can pass for markup.
const TEXT = Symbol('markup');

export interface Markup {
  readonly [TEXT]: string;
}

/** Nothing stands for itself, so that parts can be left out. */
type Value = string | number | Markup | readonly Markup[] | undefined;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What neither prints nor breaks a line, such as marks that turn the direction of text around. */
const UNPRINTABLE = /[^\P{C}\n\t]/gu;

function escapeText(text: string): string {
  return text.replace(UNPRINTABLE, '\uFFFD').replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

function isMarkup(value: unknown): value is Markup {
  return typeof value === 'object' && value !== null && TEXT in value;
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (isMarkup(value)) return value[TEXT];
  return Array.isArray(value) ? value.map(textOf).join('') : escapeText(String(value));
}

/** Attributes must be in double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return { [TEXT]: strings.reduce((before, text, k) => before + textOf(values[k - 1]) + text) };
}

export function joinMarkup(parts: readonly Markup[], separator: string): Markup {
  return { [TEXT]: parts.map(textOf).join(escapeText(separator)) };
}

/** SVG that was made elsewhere, where everything in it was escaped. */
export function trustMarkup(text: string): Markup {
  return { [TEXT]: text };
}

export function markupText(markup: Markup): string {
  return markup[TEXT];
}
