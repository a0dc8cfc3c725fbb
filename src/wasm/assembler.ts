// A small WebAssembly assembler: functions with locals, and the sections of a module, of instructions that are trees of bytes. Knows
// the binary format and nothing of ops, tasks or layouts. No library emits SIMD fast enough without megabytes
// (docs/decisions/0005-own-assembler.md).
import { type Code, type Func, type Global, type Local, unsigned, VALUE_TYPE, type ValueType } from './instructions.js';

export * from './instructions.js';

/** A function while its body is being written: hands out locals. */
export class FunctionBuilder {
  readonly params: readonly Local[];
  private readonly types: ValueType[] = [];
  private free: Local[] = [];

  constructor(params: readonly ValueType[]) {
    this.params = params.map((_, index) => ({ index }));
  }

  /** A local; 0 at first, unless it is one of several pieces of code that are written separately. */
  local(type: ValueType): Local {
    const reused = this.free.findIndex(({ index }) => this.types[index - this.params.length] === type);
    if (reused >= 0) return this.free.splice(reused, 1)[0]!;
    this.types.push(type);
    return { index: this.params.length + this.types.length - 1 };
  }

  /** Several of one type, by name. */
  locals<Name extends string>(type: ValueType, ...names: Name[]): { readonly [name in Name]: Local } {
    return Object.fromEntries(names.map((name) => [name, this.local(type)])) as { [name in Name]: Local };
  }

  /** Writes several pieces of code that each use locals for themselves: those of one are reused by the next. */
  separate<T>(pieces: readonly ((f: this) => T)[]): T[] {
    const before = this.types.length;
    return pieces.map((write) => {
      this.free = this.types.slice(before).map((_, k) => ({ index: this.params.length + before + k }));
      const code = write(this);
      this.free = [];
      return code;
    });
  }

  /** The locals as a function body declares them. */
  declarations(): Code {
    return [unsigned(this.types.length), this.types.map((type) => [1, VALUE_TYPE[type]])];
  }
}

interface Signature {
  readonly params?: readonly ValueType[];
  readonly results?: readonly ValueType[];
  /** Makes the function callable from outside, by this name. */
  readonly exportAs?: string;
}

function append(code: Code, bytes: number[]): void {
  for (const part of code) {
    if (typeof part === 'number') bytes.push(part);
    else append(part, bytes);
  }
}

export function flatten(code: Code): number[] {
  const bytes: number[] = [];
  append(code, bytes);
  return bytes;
}

function sized(code: Code): number[] {
  const bytes = flatten(code);
  return unsigned(bytes.length).concat(bytes);
}

function section(id: number, items: readonly Code[]): Code {
  return items.length === 0 ? [] : [id, sized([unsigned(items.length), items])];
}

function text(value: string): Code {
  const bytes = Array.from(value, (letter) => letter.charCodeAt(0));
  return [unsigned(bytes.length), bytes];
}

/** Collects the functions of a module that works on one imported memory, `env.memory`. */
export class ModuleBuilder {
  private readonly types: Code[] = [];
  private readonly typeKeys: string[] = [];
  private readonly functionTypes: Code[] = [];
  private readonly bodies: Code[] = [];
  private readonly globals: Code[] = [];
  private readonly exports: Code[] = [];

  func({ params = [], results = [], exportAs }: Signature, write: (f: FunctionBuilder) => Code): Func {
    const builder = new FunctionBuilder(params);
    const body = write(builder);
    const index = this.bodies.length;
    this.functionTypes.push(unsigned(this.type(params, results)));
    this.bodies.push(sized([builder.declarations(), body, 0x0b]));
    if (exportAs !== undefined) this.exports.push([text(exportAs), 0, unsigned(index)]);
    return { index };
  }

  /** A variable of the instance, 0 at first. */
  global(type: 'i32'): Global {
    this.globals.push([VALUE_TYPE[type], 1, 0x41, 0, 0x0b]);
    return { index: this.globals.length - 1 };
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const anyMemory: Code = [0, unsigned(0)];
    return Uint8Array.from(
      flatten([
        [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
        section(1, this.types),
        section(2, [[text('env'), text('memory'), 2, anyMemory]]),
        section(3, this.functionTypes),
        section(6, this.globals),
        section(7, this.exports),
        section(10, this.bodies),
      ]),
    );
  }

  private type(params: readonly ValueType[], results: readonly ValueType[]): number {
    const key = `${params}:${results}`;
    const known = this.typeKeys.indexOf(key);
    if (known >= 0) return known;
    const list = (types: readonly ValueType[]): Code => [unsigned(types.length), types.map((type) => VALUE_TYPE[type])];
    this.types.push([0x60, list(params), list(results)]);
    return this.typeKeys.push(key) - 1;
  }
}
