// Hashes the canonical form of a program's live instructions, in WebAssembly, without making that form. `canonicalHash` is the definition.
// Must not know how they were found.
import { OPERAND_TYPES } from '../../ops/by-number.js';
import {
  block,
  branchIf,
  type Code,
  call,
  either,
  type Func,
  type FunctionBuilder,
  f64,
  get,
  i32,
  i64,
  type Local,
  leave,
  loop,
  type ModuleBuilder,
  select,
  set,
  tee,
  when,
} from '../../wasm/assembler.js';
import { CODE_ADDRESSES, type CodeLayout, FUNCTIONS, OP_ENTRY, RESULT } from './code-layout.js';
import { bits, hasFlag, NO_SLOT, OP_FLAG, plus, until, word } from './kernel-parts.js';

const UNNAMED = -1;

/** As `Hasher` of util/hash.ts. */
class HashWriter {
  private readonly a: Local;
  private readonly b: Local;
  private readonly length: Local;
  private readonly w: Local;
  private readonly pair: Local;

  constructor(f: FunctionBuilder) {
    const { a, b, length, w } = f.locals('i32', 'a', 'b', 'length', 'w');
    this.a = a;
    this.b = b;
    this.length = length;
    this.w = w;
    this.pair = f.local('i64');
  }

  begin(): Code {
    return [set(this.a, word(0x243f6a88)), set(this.b, word(0x13198a2e)), set(this.length, word(0))];
  }

  add(value: Code): Code {
    const { a, b, w } = this;
    const mixed = (x: Local, factor: number, rotation: number, times: number, added: number): Code =>
      set(
        x,
        i32.add(
          i32.mul(i32.rotl(i32.xor(get(x), i32.mul(get(w), word(factor))), word(rotation)), word(times)),
          word(added),
        ),
      );
    return [
      set(w, value),
      mixed(a, 0xcc9e2d51, 15, 5, 0x1b873593),
      mixed(b, 0x9e3779b1, 13, 9, 0x38495ab5),
      plus(this.length, 1),
    ];
  }

  /** The 64 bits of a number; NaN is one number. */
  addNumber(pointer: Code, offset: number): Code {
    const { pair } = this;
    const number = f64.load(pointer, offset);
    return [
      set(pair, select(f64.eq(number, number), i64.load(pointer, offset), bits(0x7ff80000n << 32n))),
      this.add(i32.wrap(get(pair))),
      this.add(i32.wrap(i64.shrU(get(pair), bits(32n)))),
    ];
  }

  store(high: number, low: number): Code {
    const { a, b, length, w } = this;
    const folded = (value: Code, shift: number): Code => [
      set(w, value),
      i32.xor(get(w), i32.shrU(get(w), word(shift))),
    ];
    const avalanche = (value: Code): Code =>
      folded(i32.mul(folded(i32.mul(folded(value, 16), word(0x85ebca6b)), 13), word(0xc2b2ae35)), 16);
    return [
      set(a, avalanche(i32.xor(get(a), get(length)))),
      set(b, avalanche(i32.add(get(b), get(a)))),
      i32.store(word(0), low, get(b)),
      i32.store(word(0), high, avalanche(i32.xor(get(a), i32.rotl(get(b), word(16))))),
    ];
  }
}

/** How an address occurs in an instruction, in the order of canonical.ts, and after all: no further occurrence. */
const ROLE = { out: 0, either: 1, in1: 2, in2: 3, none: 4 } as const;

/** Of no operand, what no slot's identity is. */
const identityOf = (layout: CodeLayout, slot: Code): Code =>
  i32.load(i32.add(i32.shl(slot, word(2)), word(layout.identities)));

/** Adds `role(k, identity, n)`: that of the n-th occurrence of an identity in an instruction. */
function addRole(module: ModuleBuilder, layout: CodeLayout): Func {
  return module.func({ params: ['i32', 'i32', 'i32'], results: ['i32'] }, (f) => {
    const [k, identity, left] = f.params as [Local, Local, Local];
    const flags: Code = i32.load(
      i32.shl(i32.load(get(k), layout.liveOps), word(Math.log2(OP_ENTRY.bytes))),
      layout.ops + OP_ENTRY.flags,
    );
    const commutes = i32.and(flags, word(OP_FLAG.commutes));
    const occurs = (operand: number, role: Code): Code =>
      when(
        i32.eq(identityOf(layout, i32.load(get(k), operand)), get(identity)),
        when(i32.eqz(get(left)), leave(role)),
        plus(left, -1),
      );
    return [
      occurs(layout.liveOut, word(ROLE.out)),
      occurs(layout.liveIn1, select(commutes, word(ROLE.either), word(ROLE.in1))),
      occurs(layout.liveIn2, select(commutes, word(ROLE.either), word(ROLE.in2))),
      word(ROLE.none),
    ];
  });
}

/** Adds `prefersSecond(a, b, k)`: whether, of two identities without a name, the second occurs earlier from there on. */
export function addPrefersSecond(module: ModuleBuilder, layout: CodeLayout): Func {
  const role = addRole(module, layout);
  return module.func({ params: ['i32', 'i32', 'i32'], results: ['i32'] }, (f) => {
    const [a, b, k] = f.params as [Local, Local, Local];
    const { n, end, roleOfA, roleOfB } = f.locals('i32', 'n', 'end', 'roleOfA', 'roleOfB');
    return [
      set(end, i32.shl(i32.load(word(0), layout.result + 4 * (RESULT.bounds + FUNCTIONS)), word(2))),
      until(
        k,
        get(end),
        set(n, word(0)),
        block(
          loop(
            set(roleOfA, call(role, get(k), get(a), get(n))),
            set(roleOfB, call(role, get(k), get(b), get(n))),
            when(i32.ne(get(roleOfA), get(roleOfB)), leave(i32.ltU(get(roleOfB), get(roleOfA)))),
            branchIf(1, i32.eq(get(roleOfA), word(ROLE.none))),
            branchIf(0, i32.ltU(tee(n, i32.add(get(n), word(1))), word(3))),
          ),
        ),
        plus(k, 4),
      ),
      word(0),
    ];
  });
}

/** What a hash begins with: a word for the kind of labels, and the names of the slots with a fixed meaning. */
export interface HashStart {
  readonly word: number;
  readonly names: readonly number[];
  /** The first free name of each type. */
  readonly next: readonly number[];
}

/** Writes `hash(slots)`. */
export class CanonicalWriter {
  private readonly layout: CodeLayout;
  private readonly f: FunctionBuilder;
  private readonly hash: HashWriter;

  constructor(layout: CodeLayout, f: FunctionBuilder) {
    this.layout = layout;
    this.f = f;
    this.hash = new HashWriter(f);
  }

  write(start: HashStart, prefersSecond: Func): Code {
    const { layout, f, hash } = this;
    const { fn, k, end } = f.locals('i32', 'fn', 'k', 'end');
    const bound = (n: number): Code => i32.load(get(fn), layout.result + 4 * (RESULT.bounds + n));
    return [
      this.begin(start),
      hash.begin(),
      hash.add(word(start.word)),
      set(fn, word(0)),
      until(
        fn,
        word(4 * FUNCTIONS),
        set(k, i32.shl(bound(0), word(2))),
        set(end, i32.shl(bound(1), word(2))),
        hash.add(i32.sub(bound(1), bound(0))),
        until(k, get(end), this.addInstruction(k, prefersSecond), plus(k, 4)),
        plus(fn, 4),
      ),
      hash.store(layout.result + 4 * RESULT.high, layout.result + 4 * RESULT.low),
    ];
  }

  /**
   * Nothing has a name yet. The identity of a slot is itself, or, if it is never written and so holds zero for ever, what stands
   * for the zero of its type: all of these are one.
   */
  private begin({ names, next }: HashStart): Code {
    const { layout, f } = this;
    const slots = f.params[0]!;
    const { at, end, out } = f.locals('i32', 'at', 'end', 'out');
    return [
      set(end, i32.shl(get(slots), word(2))),
      set(at, word(0)),
      until(
        at,
        get(end),
        i32.store(get(at), layout.names, word(UNNAMED)),
        i32.store(get(at), layout.identities, i32.add(get(slots), i32.load(get(at), layout.slotTypes))),
        plus(at, 4),
      ),
      OPERAND_TYPES.map((_, type) => [
        i32.store(get(end), layout.names + 4 * type, word(UNNAMED)),
        i32.store(word(0), layout.nextNames + 4 * type, word(next[type]!)),
      ]),
      set(at, word(0)),
      set(end, i32.shl(i32.load(word(0), layout.result + 4 * (RESULT.bounds + FUNCTIONS)), word(2))),
      until(
        at,
        get(end),
        set(out, i32.load(get(at), layout.liveOut)),
        i32.store(i32.shl(get(out), word(2)), layout.identities, get(out)),
        plus(at, 4),
      ),
      names.map((name, slot) => [
        i32.store(word(0), layout.names + 4 * slot, word(name)),
        i32.store(word(0), layout.identities + 4 * slot, word(slot)),
      ]),
    ];
  }

  private rename(slot: Local, to: Local): Code {
    const { layout, f } = this;
    const { identity, type } = f.locals('i32', 'identity', 'type');
    return [
      set(identity, i32.shl(identityOf(layout, get(slot)), word(2))),
      when(
        i32.eq(tee(to, i32.load(get(identity), layout.names)), word(UNNAMED)),
        set(type, i32.shl(i32.load(i32.shl(get(slot), word(2)), layout.slotTypes), word(2))),
        set(to, i32.load(get(type), layout.nextNames)),
        i32.store(get(type), layout.nextNames, i32.add(get(to), word(1))),
        i32.store(get(identity), layout.names, get(to)),
      ),
    ];
  }

  private addInstruction(k: Local, prefersSecond: Func): Code {
    const { layout, f, hash } = this;
    const names = ['op', 'flags', 'first', 'second', 'out', 'a', 'b', 'c', 'spare'] as const;
    const { op, flags, first, second, out, a, b, c, spare } = f.locals('i32', ...names);
    const nameOf = (identity: Local): Code => i32.load(i32.shl(get(identity), word(2)), layout.names);
    const swap = (x: Local, y: Local): Code => [set(spare, get(x)), set(x, get(y)), set(y, get(spare))];
    const preferFirst: Code = [
      set(a, identityOf(layout, get(first))),
      set(b, identityOf(layout, get(second))),
      when(
        i32.and(i32.ne(get(a), get(b)), i32.and(i32.eq(nameOf(a), word(UNNAMED)), i32.eq(nameOf(b), word(UNNAMED)))),
        when(call(prefersSecond, get(a), get(b), get(k)), swap(first, second)),
      ),
    ];
    return [
      set(op, i32.load(get(k), layout.liveOps)),
      set(flags, i32.load(i32.shl(get(op), word(Math.log2(OP_ENTRY.bytes))), layout.ops + OP_ENTRY.flags)),
      set(first, i32.load(get(k), layout.liveIn1)),
      set(second, i32.load(get(k), layout.liveIn2)),
      set(out, i32.load(get(k), layout.liveOut)),
      set(a, word(0)),
      set(b, word(0)),
      either(
        i32.ne(get(second), word(NO_SLOT)),
        [
          when(hasFlag(flags, OP_FLAG.commutes), preferFirst),
          this.rename(first, a),
          this.rename(second, b),
          when(i32.and(i32.ltU(get(b), get(a)), i32.ne(hasFlag(flags, OP_FLAG.commutes), word(0))), swap(a, b)),
        ],
        when(i32.ne(get(first), word(NO_SLOT)), this.rename(first, a)),
      ),
      this.rename(out, c),
      hash.add(
        i32.or(i32.or(get(op), i32.shl(get(a), word(7))), i32.or(i32.shl(get(b), word(15)), i32.shl(get(c), word(23)))),
      ),
      when(
        i32.geU(i32.or(get(a), i32.or(get(b), get(c))), word(CODE_ADDRESSES)),
        [a, b, c].map((address) => hash.add(get(address))),
      ),
      when(
        hasFlag(flags, OP_FLAG.hasIndices),
        hash.add(i32.load(get(k), layout.liveIndex1)),
        hash.add(i32.load(get(k), layout.liveIndex2)),
      ),
      when(
        hasFlag(flags, OP_FLAG.hasConstants),
        set(spare, i32.shl(get(k), word(2))),
        hash.addNumber(get(spare), layout.liveConstants),
        when(hasFlag(flags, OP_FLAG.hasTwoConstants), hash.addNumber(get(spare), layout.liveConstants + 8)),
      ),
    ];
  }
}
