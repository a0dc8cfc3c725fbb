// Finds the live instructions of a program in a code store, in WebAssembly: liveness over setup -> (predict, learn)* -> predict*, with
// sets of addresses as bits. `simplify` is the definition. Must not know hashes.
import {
  block,
  branch,
  branchIf,
  type Code,
  call,
  either,
  type Func,
  type FunctionBuilder,
  get,
  i32,
  i64,
  type Local,
  leave,
  loop,
  select,
  set,
  when,
} from '../../wasm/assembler.js';
import { FEATURES_SLOT, LABEL_SLOT, LAST_USE_OF_INPUT, LIVE, PREDICTION_SLOT } from '../liveness-analysis.js';
import { type CodeLayout, FUNCTIONS, LISTED, OP_ENTRY, RECORD, RESULT, SETTLED, WORD } from './code-layout.js';
import { bits, hasFlag, OP_FLAG, plus, until, word } from './kernel-parts.js';

/** Slots that fit into 64 bits; the last bit stands for operands that an op does not have. */
export const MAX_BITS = 63;
const NO_OPERAND_BIT = 1n << 63n;

/** The bit of a slot; that of no operand for none. */
const bitOf = (slot: Local): Code => i64.shl(bits(1n), i64.extendU(get(slot)));

const OTHERS = ~((1n << BigInt(FEATURES_SLOT)) | (1n << BigInt(LABEL_SLOT)));

/** Writes `analyse(place, slots)`. */
export class LivenessWriter {
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
    return this.fromLast(begin, end, (k, bit) =>
      set(
        live,
        i64.or(
          i64.and(get(live), i64.xor(get(bit), bits(-1n))),
          select(i64.eqz(i64.and(get(live), get(bit))), bits(0n), i64.load(get(k), RECORD.inBits)),
        ),
      ),
    );
  }

  /** Does something with each record of a function, from the last to the first, and the bit of what it writes. */
  private fromLast(begin: Code, end: Code, work: (k: Local, bit: Local) => Code): Code {
    const k = this.f.local('i32');
    const bit = this.f.local('i64');
    return [
      set(k, end),
      block(
        loop(
          branchIf(1, i32.eq(get(k), begin)),
          plus(k, -RECORD.bytes),
          set(bit, i64.load(get(k), RECORD.outBit)),
          work(k, bit),
          branch(0),
        ),
      ),
    ];
  }

  /** Lists the live instructions of a function, backwards. */
  private list(live: Local, begin: Code, end: Code, to: Local): Code {
    const isDead = this.f.local('i32');
    return this.fromLast(begin, end, (k, bit) => [
      set(isDead, i64.eqz(i64.and(get(live), get(bit)))),
      set(live, i64.and(get(live), i64.xor(get(bit), bits(-1n)))),
      i64.store(get(to), LISTED.needed, get(live)),
      i32.store(get(to), LISTED.record, get(k)),
      set(live, i64.or(get(live), select(get(isDead), bits(0n), i64.load(get(k), RECORD.inBits)))),
      set(to, i32.add(get(to), select(get(isDead), word(0), word(LISTED.bytes)))),
    ]);
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
