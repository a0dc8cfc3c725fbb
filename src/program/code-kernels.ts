// What code-analyser.ts does with a program in a store, in WebAssembly: finds its live instructions and hashes its canonical form.
// Every candidate of a search goes through this. `simplify` and `canonicalHash` are the definitions. Must not run anything.
import { instantiate, type WasmMemory } from '../wasm/api.js';
import {
  block,
  branch,
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
  ModuleBuilder,
  select,
  set,
  tee,
  when,
} from '../wasm/assembler.js';
import { LARGE_ADDRESS } from './canonical.js';
import { type CodeLayout, FUNCTIONS, LISTED, OP_ENTRY, RECORD, RESULT, SETTLED, WORD } from './code-layout.js';
import {
  FEATURES_SLOT,
  LABEL_SLOT,
  LAST_USE_OF_INPUT,
  LIVE,
  OPERAND_TYPES,
  PREDICTION_SLOT,
} from './liveness-analysis.js';

/** What an op is like, as bits. */
export const OP_FLAG = { setsElement: 1, commutes: 2, hasIndices: 4, hasConstants: 8, hasTwoConstants: 16 } as const;

/** Slots that fit into 64 bits; the last bit stands for operands that an op does not have. */
export const MAX_BITS = 63;
const NO_OPERAND_BIT = 1n << 63n;
export const NO_SLOT = -1;
const UNNAMED = -1;

export interface CodeKernels {
  /** Lists the live instructions of the program at a place and hashes it. 0 if it takes a closer look, and nothing was done. */
  readonly analyse: (place: number, slots: number) => number;
  /** Hashes the live instructions that are there. */
  readonly hash: (slots: number) => void;
}

const word = (value: number): Code => i32.const(value);
const bits = (value: bigint): Code => i64.const(value);
const plus = (local: Local, bytes: number): Code => set(local, i32.add(get(local), word(bytes)));
const hasFlag = (flags: Local, flag: number): Code => i32.and(get(flags), word(flag));
/** The bit of a slot; that of no operand for none. */
const bitOf = (slot: Local): Code => i64.shl(bits(1n), i64.extendU(get(slot)));

/** Does something while a pointer has not reached its end, which moves it. */
const until = (pointer: Local, end: Code, ...body: Code[]): Code =>
  block(loop(branchIf(1, i32.geU(get(pointer), end)), body, branch(0)));

// --- What is live ------------------------------------------------------------------------------------------------------

const OTHERS = ~((1n << BigInt(FEATURES_SLOT)) | (1n << BigInt(LABEL_SLOT)));

class LivenessWriter {
  private readonly layout: CodeLayout;
  private readonly f: FunctionBuilder;

  constructor(layout: CodeLayout, f: FunctionBuilder) {
    this.layout = layout;
    this.f = f;
  }

  write(hash: Func): Code {
    const { layout, f } = this;
    const [place, slots] = f.params as [Local, Local];
    const { first, inSetup, inOthers } = f.locals('i32', 'first', 'inSetup', 'inOthers');
    const { predict, learn, end } = f.locals('i32', 'predict', 'learn', 'end');
    const { live, atPredict, atLearn, afterPredict, before } = f.locals(
      'i64',
      'live',
      'atPredict',
      'atLearn',
      'afterPredict',
      'before',
    );
    const to = f.local('i32');
    const length = (fn: number): Code => i32.load(i32.mul(get(place), word(4 * FUNCTIONS)), layout.lengths + 4 * fn);
    const recordAfter = (begin: Code, fn: number): Code => i32.add(begin, i32.mul(length(fn), word(RECORD.bytes)));
    const records = word(layout.records);
    const keepBound = (fn: number): Code => i32.store(word(0), layout.result + 4 * (RESULT.bounds + fn), this.live(to));
    return [
      set(first, i32.mul(get(place), word(4 * layout.instructions))),
      set(predict, recordAfter(records, 0)),
      set(learn, recordAfter(get(predict), 1)),
      set(end, recordAfter(get(learn), 2)),
      this.collect(first, 0, records, get(predict), inSetup),
      this.collect(first, 1, get(predict), get(learn), inOthers),
      this.collect(first, 2, get(learn), get(end), inOthers),
      when(hasFlag(inOthers, OP_FLAG.setsElement), leave(word(0))),
      // Liveness over setup -> (predict, learn)* -> predict*.
      loop(
        set(
          afterPredict,
          i64.or(i64.and(i64.or(get(atPredict), get(atLearn)), bits(OTHERS)), bits(1n << BigInt(PREDICTION_SLOT))),
        ),
        set(live, get(afterPredict)),
        this.backward(live, get(predict), get(learn)),
        set(before, get(atPredict)),
        set(atPredict, get(live)),
        set(live, i64.and(get(live), bits(OTHERS))),
        this.backward(live, get(learn), get(end)),
        set(before, i64.or(i64.xor(get(before), get(atPredict)), i64.xor(get(atLearn), get(live)))),
        set(atLearn, get(live)),
        branchIf(0, i64.ne(get(before), bits(0n))),
      ),
      set(to, word(layout.listed)),
      set(live, i64.and(get(atPredict), bits(OTHERS))),
      either(
        hasFlag(inSetup, OP_FLAG.setsElement),
        this.listSetup(live, get(predict), to),
        this.list(live, records, get(predict), to),
      ),
      keepBound(1),
      set(live, get(afterPredict)),
      this.list(live, get(predict), get(learn), to),
      keepBound(2),
      set(live, i64.and(get(atPredict), bits(OTHERS))),
      this.list(live, get(learn), get(end), to),
      keepBound(3),
      this.compact(),
      call(hash, get(slots)),
      word(1),
    ];
  }

  /** The number of instructions that are listed so far. */
  private live(to: Local): Code {
    return i32.shrU(i32.sub(get(to), word(this.layout.listed)), word(Math.log2(LISTED.bytes)));
  }

  /** Makes the records of a function, and gathers what its ops are like. */
  private collect(first: Local, fn: number, begin: Code, end: Code, flags: Local): Code {
    const { layout, f } = this;
    const names = ['from', 'record', 'code', 'entry', 'out', 'in1', 'in2'] as const;
    const { from, record, code, entry, out, in1, in2 } = f.locals('i32', ...names);
    /** The slot of an operand: the address is a byte of the code, and words of the table have four. */
    const slot = (row: number, shift: number): Code =>
      i32.load(
        i32.add(i32.load(get(entry), layout.ops + row), i32.and(i32.shrU(get(code), word(shift - 2)), word(0x3fc))),
        layout.slotTable,
      );
    return [
      set(from, i32.add(get(first), word(4 * layout.starts[fn]!))),
      set(record, begin),
      until(
        record,
        end,
        set(code, i32.load(get(from), layout.words)),
        set(entry, i32.shl(i32.and(get(code), word(WORD.opMask)), word(Math.log2(OP_ENTRY.bytes)))),
        set(out, slot(OP_ENTRY.out, WORD.out)),
        set(in1, slot(OP_ENTRY.in1, WORD.in1)),
        set(in2, slot(OP_ENTRY.in2, WORD.in2)),
        i64.store(get(record), RECORD.outBit, i64.and(bitOf(out), bits(~NO_OPERAND_BIT))),
        i64.store(get(record), RECORD.inBits, i64.or(bitOf(in1), bitOf(in2))),
        i32.store(get(record), RECORD.number, i32.shrU(get(from), word(2))),
        i32.store(get(record), RECORD.entry, get(entry)),
        i32.store(get(record), RECORD.out, get(out)),
        i32.store(get(record), RECORD.in1, get(in1)),
        i32.store(get(record), RECORD.in2, get(in2)),
        set(flags, i32.or(get(flags), i32.load(get(entry), layout.ops + OP_ENTRY.flags))),
        plus(from, 4),
        plus(record, RECORD.bytes),
      ),
    ];
  }

  // Which instructions are live is hard to guess, so that these loops do without branches.

  /** From what is needed after a function to what is needed before it. */
  private backward(live: Local, begin: Code, end: Code): Code {
    const k = this.f.local('i32');
    const bit = this.f.local('i64');
    return [
      set(k, end),
      block(
        loop(
          branchIf(1, i32.eq(get(k), begin)),
          plus(k, -RECORD.bytes),
          set(bit, i64.load(get(k), RECORD.outBit)),
          set(
            live,
            i64.or(
              i64.and(get(live), i64.xor(get(bit), bits(-1n))),
              select(i64.eqz(i64.and(get(live), get(bit))), bits(0n), i64.load(get(k), RECORD.inBits)),
            ),
          ),
          branch(0),
        ),
      ),
    ];
  }

  /** Lists the live instructions of a function, backwards. */
  private list(live: Local, begin: Code, end: Code, to: Local): Code {
    const { k, isDead } = this.f.locals('i32', 'k', 'isDead');
    const bit = this.f.local('i64');
    return [
      set(k, end),
      block(
        loop(
          branchIf(1, i32.eq(get(k), begin)),
          plus(k, -RECORD.bytes),
          set(bit, i64.load(get(k), RECORD.outBit)),
          set(isDead, i64.eqz(i64.and(get(live), get(bit)))),
          set(live, i64.and(get(live), i64.xor(get(bit), bits(-1n)))),
          i64.store(get(to), LISTED.needed, get(live)),
          i32.store(get(to), LISTED.record, get(k)),
          set(live, i64.or(get(live), select(get(isDead), bits(0n), i64.load(get(k), RECORD.inBits)))),
          set(to, i32.add(get(to), select(get(isDead), word(0), word(LISTED.bytes)))),
          branch(0),
        ),
      ),
    ];
  }

  /** As `list`, for a Setup that sets elements: of those that are set twice without being read, only the last counts. */
  private listSetup(live: Local, end: Code, to: Local): Code {
    const { layout, f } = this;
    const { k, indices, settled, n } = f.locals('i32', 'k', 'indices', 'settled', 'n');
    const { bit, inputs } = f.locals('i64', 'bit', 'inputs');
    const flags: Code = i32.load(i32.load(get(k), RECORD.entry), layout.ops + OP_ENTRY.flags);
    const settle: Code = [
      set(indices, i32.load(i32.shl(i32.load(get(k), RECORD.number), word(2)), layout.indices)),
      set(n, word(layout.settled)),
      until(
        n,
        get(settled),
        when(
          i32.and(
            i64.eq(i64.load(get(n), SETTLED.bit), get(bit)),
            i32.eq(i32.load(get(n), SETTLED.indices), get(indices)),
          ),
          // On to the next instruction.
          branch(4),
        ),
        plus(n, SETTLED.bytes),
      ),
      i64.store(get(settled), SETTLED.bit, get(bit)),
      i32.store(get(settled), SETTLED.indices, get(indices)),
      plus(settled, SETTLED.bytes),
    ];
    const forgetWhatIsRead: Code = [
      set(n, word(layout.settled)),
      until(
        n,
        get(settled),
        when(
          i64.ne(i64.and(i64.load(get(n), SETTLED.bit), get(inputs)), bits(0n)),
          i64.store(get(n), SETTLED.bit, bits(0n)),
        ),
        plus(n, SETTLED.bytes),
      ),
    ];
    return [
      set(k, end),
      set(settled, word(layout.settled)),
      block(
        loop(
          branchIf(1, i32.eq(get(k), word(layout.records))),
          plus(k, -RECORD.bytes),
          set(bit, i64.load(get(k), RECORD.outBit)),
          branchIf(0, i64.eqz(i64.and(get(live), get(bit)))),
          block(
            either(
              i32.and(flags, word(OP_FLAG.setsElement)),
              settle,
              set(live, i64.and(get(live), i64.xor(get(bit), bits(-1n)))),
            ),
            i64.store(get(to), LISTED.needed, get(live)),
            i32.store(get(to), LISTED.record, get(k)),
            plus(to, LISTED.bytes),
            set(inputs, i64.load(get(k), RECORD.inBits)),
            set(live, i64.or(get(live), get(inputs))),
            forgetWhatIsRead,
          ),
          branch(0),
        ),
      ),
    ];
  }

  /** Copies the listed instructions, which are backwards in each function. */
  private compact(): Code {
    const { layout, f } = this;
    const names = ['fn', 'from', 'last', 'to', 'record', 'number', 'indices', 'in1', 'in2'] as const;
    const { fn, from, last, to, record, number, indices, in1, in2 } = f.locals('i32', ...names);
    const needed = f.local('i64');
    const bound = (k: number): Code => i32.load(get(fn), layout.result + 4 * (RESULT.bounds + k));
    const listedAt = (k: Code): Code => i32.add(word(layout.listed), i32.mul(k, word(LISTED.bytes)));
    const mark = (input: Local, bit: number): Code =>
      select(i64.eqz(i64.and(get(needed), bitOf(input))), word(bit), word(0));
    return [
      set(fn, word(0)),
      set(to, word(0)),
      until(
        fn,
        word(4 * FUNCTIONS),
        set(last, listedAt(bound(0))),
        set(from, listedAt(bound(1))),
        block(
          loop(
            branchIf(1, i32.eq(get(from), get(last))),
            plus(from, -LISTED.bytes),
            set(needed, i64.or(i64.load(get(from), LISTED.needed), bits(NO_OPERAND_BIT))),
            set(record, i32.load(get(from), LISTED.record)),
            set(number, i32.load(get(record), RECORD.number)),
            set(in1, i32.load(get(record), RECORD.in1)),
            set(in2, i32.load(get(record), RECORD.in2)),
            i32.store(
              get(to),
              layout.liveOps,
              i32.shrU(i32.load(get(record), RECORD.entry), word(Math.log2(OP_ENTRY.bytes))),
            ),
            i32.store(get(to), layout.liveOut, i32.load(get(record), RECORD.out)),
            i32.store(get(to), layout.liveIn1, get(in1)),
            i32.store(get(to), layout.liveIn2, get(in2)),
            i32.store(
              get(to),
              layout.liveMarks,
              i32.or(word(LIVE), i32.or(mark(in1, LAST_USE_OF_INPUT[0]), mark(in2, LAST_USE_OF_INPUT[1]))),
            ),
            set(indices, i32.load(i32.shl(get(number), word(2)), layout.indices)),
            i32.store(get(to), layout.liveIndex1, i32.and(get(indices), word(0xffff))),
            i32.store(get(to), layout.liveIndex2, i32.shrU(get(indices), word(16))),
            [0, 8].map((offset) =>
              i64.store(
                i32.shl(get(to), word(2)),
                layout.liveConstants + offset,
                i64.load(i32.shl(get(number), word(4)), layout.constants + offset),
              ),
            ),
            plus(to, 4),
            branch(0),
          ),
        ),
        plus(fn, 4),
      ),
    ];
  }
}

// --- The hash ----------------------------------------------------------------------------------------------------------

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
function addPrefersSecond(module: ModuleBuilder, layout: CodeLayout): Func {
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

class CanonicalWriter {
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
        i32.geU(i32.or(get(a), i32.or(get(b), get(c))), word(LARGE_ADDRESS)),
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

// --- The module --------------------------------------------------------------------------------------------------------

function moduleBytes(layout: CodeLayout, start: HashStart): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder();
  const prefersSecond = addPrefersSecond(module, layout);
  const hash = module.func({ params: ['i32'], exportAs: 'hash' }, (f) =>
    new CanonicalWriter(layout, f).write(start, prefersSecond),
  );
  module.func({ params: ['i32', 'i32'], results: ['i32'], exportAs: 'analyse' }, (f) =>
    new LivenessWriter(layout, f).write(hash),
  );
  return module.bytes();
}

/** The kernels for a store's memory. */
export function codeKernels(memory: WasmMemory, layout: CodeLayout, start: HashStart): CodeKernels {
  const key = JSON.stringify([layout, start]);
  return instantiate(key, memory, () => moduleBytes(layout, start)) as CodeKernels;
}
