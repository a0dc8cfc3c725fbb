// The algebra of a program as LaTeX: initial values, prediction, error, update rules. Values that are used once go into the
// formula that uses them, as long as it stays short; the others get a symbol. Needs no package but amsmath.
import type { Loss } from '../../engine/engine.js';
import { opById } from '../../ops/ops.js';
import { FUNCTION_NAMES, type FunctionName, type LabelKind, type Program } from '../../program/program.js';
import { analyse, findTechniques } from './analyse.js';
import { commentsOn } from './comments.js';
import { type Flow, madeOf, type Value } from './flow.js';
import { atom, type Formula, writeOp } from './latex-expression.js';
import { liveIndices, type Origin, originOf } from './origin.js';

/** Symbols by what a value is; vectors and matrices are bold. */
const SYMBOLS: Readonly<Record<string, { readonly s?: string; readonly v?: string; readonly m?: string }>> = {
  'learning rate': { s: '\\eta' },
  weights: { s: 'w', v: '\\mathbf{w}', m: '\\mathbf{W}' },
  bias: { s: 'b', v: '\\mathbf{b}' },
  'sum of weights': { v: '\\bar{\\mathbf{w}}', m: '\\bar{\\mathbf{W}}' },
  error: { s: '\\delta', v: '\\boldsymbol{\\delta}' },
  'normalized error': { s: '\\tilde{\\delta}' },
  prediction: { s: '\\hat{y}', v: '\\hat{\\mathbf{y}}' },
  noise: { s: 'u', v: '\\mathbf{u}', m: '\\mathbf{U}' },
  'noisy features': { v: '\\mathbf{a}' },
  'hidden layer': { s: 'h', v: '\\mathbf{h}', m: '\\mathbf{H}' },
  gradient: { v: '\\mathbf{g}', m: '\\mathbf{G}' },
  norm: { s: '\\nu', v: '\\boldsymbol{\\nu}' },
};

/** The most ops in a formula that still reads well. */
const MAX_OPS = 5;

const TITLES: { readonly [name in FunctionName]: string } = {
  setup: 'Initial values',
  predict: 'Prediction',
  learn: 'Learning',
};

/** Gives symbols; two values never share one. */
class Symbols {
  private readonly taken = new Map<string, number>();
  private readonly given = new Map<string, string>();

  /** `key` tells what stays the same under one symbol: a value, or what an address carries. */
  of(key: string, wanted: string): string {
    const known = this.given.get(key);
    if (known !== undefined) return known;
    const count = (this.taken.get(wanted) ?? 0) + 1;
    this.taken.set(wanted, count);
    const hasIndex = wanted.endsWith('}') && wanted.includes('_{');
    const symbol = count === 1 ? wanted : wanted + (hasIndex ? "'".repeat(count - 1) : `_{${count}}`);
    this.given.set(key, symbol);
    return symbol;
  }
}

function symbolOfAddress(address: string): string {
  const [type, number] = [address[0]!, address.slice(1)];
  const letter = type === 's' ? 's' : type === 'v' ? '\\mathbf{v}' : '\\mathbf{M}';
  return `${letter}_{${number}}`;
}

class Writer {
  private readonly symbols = new Symbols();
  private readonly uses = new Map<Value, number>();
  private readonly meanings = new Map<Value, string>();
  /** Values that have had their own line. */
  private readonly written = new Set<Value>();
  private readonly flow: Flow;
  private readonly output: Value;
  private readonly origin: Origin;

  constructor(flow: Flow, output: Value, origin: Origin, meanings: ReadonlyMap<Value, string>) {
    this.flow = flow;
    this.output = output;
    this.origin = origin;
    for (const [value, meaning] of meanings) this.meanings.set(value, meaning);
    const shown = new Set([...flow.next.values(), flow.validation, output].flatMap((value) => [...madeOf(value)]));
    for (const { inputs } of shown) for (const input of inputs) this.uses.set(input, (this.uses.get(input) ?? 0) + 1);
  }

  /** The addresses that carry this value into the next step. */
  private carriers(value: Value): string[] {
    const { next, start, values } = this.flow;
    const isCarried = (address: string) =>
      start.get(address)!.kind === 'carried' && start.get(address)!.address === address;
    const isRead = (address: string) =>
      values.some((v) => v.inputs.includes(start.get(address)!)) || start.get(address) === this.output;
    return [...next]
      .filter(([address, v]) => v === value && isCarried(address) && isRead(address))
      .map(([address]) => address);
  }

  private wantedSymbol(value: Value): string {
    const known = SYMBOLS[this.meanings.get(value) ?? '']?.[value.type];
    if (known !== undefined) return known;
    return value === this.output ? this.predictionSymbol() : symbolOfAddress(this.origin.show(value));
  }

  private predictionSymbol(): string {
    return SYMBOLS.prediction![this.output.type]!;
  }

  private stateSymbol(address: string): string {
    const next = this.flow.next.get(address)!;
    const initial = this.flow.initial.get(address)!;
    const known = [next, initial]
      .map((value) => SYMBOLS[this.meanings.get(value) ?? '']?.[next.type])
      .find((s) => s !== undefined);
    return this.symbols.of(`carried ${address}`, known ?? symbolOfAddress(this.origin.address(address)));
  }

  private opsIn(value: Value): number {
    if (value.kind !== 'op' || this.isNamed(value)) return 0;
    return 1 + value.inputs.reduce((sum, input) => sum + this.opsIn(input), 0);
  }

  /** Whether a value has a line of its own: it is used twice, means something, or would make a formula too long. */
  private isNamed(value: Value): boolean {
    if (value.kind !== 'op' || value.places.length === 0) return false;
    if (this.written.has(value) || value === this.output || this.carriers(value).length > 0) return true;
    const { shape, random, indices } = opById(value.instruction!.op);
    if (random || (shape === 'fillConst' && indices === 0 && this.meanings.has(value))) return true;
    if (shape === 'fillConst' && indices === 0) return false;
    if ((this.uses.get(value) ?? 0) > 1 || this.meanings.get(value) === 'error') return true;
    return 1 + value.inputs.reduce((sum, input) => sum + this.opsIn(input), 0) > MAX_OPS;
  }

  private write = (value: Value): Formula => {
    switch (value.kind) {
      case 'zero':
        return value.type === 's' ? atom('0') : atom('\\mathbf{0}');
      case 'features':
        return atom('\\mathbf{x}');
      case 'label':
        return atom(value.type === 's' ? 'y' : '\\mathbf{y}');
      case 'carried':
        return atom(this.stateSymbol(value.address));
      case 'normalized':
        return atom(
          `${value.type === 's' ? '\\sigma' : '\\operatorname{softmax}'}\\left(${this.write(value.inputs[0]!).text}\\right)`,
        );
      case 'op':
        return this.writeOpOrSymbol(value);
    }
  };

  private writeOpOrSymbol(value: Value): Formula {
    if (value.drawnAt !== '') return atom(this.symbols.of(`drawn ${value.drawnAt}`, SYMBOLS.noise![value.type]!));
    if (this.written.has(value)) {
      const [carrier] = this.carriers(value);
      // After its update, a state is known by its own symbol.
      return atom(
        carrier === undefined
          ? this.symbols.of(`value ${value.id}`, this.wantedSymbol(value))
          : this.stateSymbol(carrier),
      );
    }
    return writeOp(value, this.write);
  }

  private line(value: Value): string[] {
    if (this.written.has(value) || !this.isNamed(value)) return [];
    const carriers = this.carriers(value);
    const before = carriers.flatMap((address) => this.linesBefore(address, value));
    const formula = writeOp(value, this.write).text;
    this.written.add(value);
    if (before.length > 0) return [...before, ...carriers.map((a) => `${this.stateSymbol(a)} &\\gets ${formula}`)];
    if (value.drawnAt !== '') return [`${this.write(value).text} &\\sim ${formula}`];
    if (carriers.length > 0) return carriers.map((address) => `${this.stateSymbol(address)} &\\gets ${formula}`);
    return [`${this.write(value).text} &= ${formula}`];
  }

  /** Lines for what is made of a state and used after its update, when the symbol stands for the new one. */
  private linesBefore(address: string, update: Value): string[] {
    const state = this.flow.start.get(address)!;
    const parts = madeOf(update);
    const made = [...this.flow.at.predict, ...this.flow.at.learn];
    const isInlined = (value: Value) => madeOf(value, [...this.written]).has(state) && !this.written.has(value);
    const isLater = (value: Value) =>
      made.some(
        (user) => user.inputs.includes(value) && !this.written.has(user) && !parts.has(user) && user.id > update.id,
      );
    const early = made.filter((value) => value.id < update.id && isInlined(value) && isLater(value));
    return early.flatMap((value) => {
      const formula = writeOp(value, this.write).text;
      this.written.add(value);
      return [`${this.write(value).text} &= ${formula}`];
    });
  }

  private setupLines(): string[] {
    const { initial, start, at } = this.flow;
    const kept = [...start.values()];
    const lasting = at.setup.filter((value) => kept.includes(value) || (this.uses.get(value) ?? 0) > 0);
    const lines = [...new Set(lasting)].flatMap((value) => this.line(value));
    const states = [...start].filter(
      ([address, held]) => held.kind === 'carried' && held.address === address && this.isRead(held),
    );
    return [
      ...lines,
      ...states.map(([address]) => {
        const value = initial.get(address)!;
        const sign = value.drawnAt !== '' ? '\\sim' : '=';
        return `${this.stateSymbol(address)} &${sign} ${(value.kind === 'op' ? writeOp(value, this.write) : this.write(value)).text}`;
      }),
    ];
  }

  private isRead(held: Value): boolean {
    return (
      held === this.output ||
      [...this.flow.next.values(), this.output, this.flow.validation].some((v) => madeOf(v).has(held) && v !== held)
    );
  }

  /** The lines of each part, titles included. */
  lines(): string[] {
    const { at, validation } = this.flow;
    const initial = this.setupLines();
    const parts = FUNCTION_NAMES.map((name) => {
      const lines = name === 'setup' ? initial : at[name].flatMap((value) => this.line(value));
      return { title: TITLES[name], lines };
    });
    // What is an op has a line already, unless nothing has one.
    if (this.output.kind !== 'op' || parts.every(({ lines }) => lines.length === 0))
      parts[1]!.lines.push(`${this.predictionSymbol()} &= ${this.write(this.output).text}`);
    const later = this.write(validation).text;
    if (validation !== this.output && validation.places.length === 0) {
      parts.push({ title: 'Prediction in validation', lines: [`${this.predictionSymbol()} &= ${later}`] });
    }
    return parts.filter(({ lines }) => lines.length > 0).flatMap(({ title, lines }) => [`&\\text{${title}}`, ...lines]);
  }
}

/** The algebra of a program, as an `align*` environment. */
export function latex(program: Program, labels: LabelKind, loss?: Loss): string {
  const indices = liveIndices(program, labels);
  const analysis = analyse(program, labels, loss);
  const origin = originOf(program, labels, indices);
  const remarks = commentsOn(analysis, findTechniques(analysis), origin.show);
  const meanings = new Map<Value, string>();
  for (const name of FUNCTION_NAMES) {
    for (const [k, value] of analysis.flow.at[name].entries()) {
      if (remarks[name][k]!.meaning !== '') meanings.set(value, remarks[name][k]!.meaning);
    }
  }
  const lines = new Writer(analysis.flow, analysis.output, origin, meanings).lines();
  return `\\begin{align*}\n${lines.map((line) => `  ${line}`).join(' \\\\\n')}\n\\end{align*}\n`;
}
