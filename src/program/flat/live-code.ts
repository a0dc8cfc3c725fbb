// The live instructions of one program at a time, in flat arrays: what engines run. Addresses are slots: features, label,
// prediction, then the others. Leaves no garbage. Must not run anything.
import { LivenessAnalysis } from '../liveness-analysis.js';
import type { Instruction, LabelKind, Program } from '../program.js';

export interface LiveArrays {
  ops: Int32Array;
  /** Slots; -1 where an op has none. */
  out: Int32Array;
  in1: Int32Array;
  in2: Int32Array;
  /** LAST_USE_OF_INPUT. */
  marks: Int32Array;
  index1: Int32Array;
  index2: Int32Array;
  /** Two for each instruction. */
  constants: Float64Array;
  /** Of each slot, the number of its type. */
  slotType: Int32Array;
}

function makeArrays(instructions: number, slots: number): LiveArrays {
  const words = () => new Int32Array(instructions);
  return {
    ops: words(),
    out: words(),
    in1: words(),
    in2: words(),
    marks: words(),
    index1: words(),
    index2: words(),
    constants: new Float64Array(2 * instructions),
    slotType: new Int32Array(slots),
  };
}

export class LiveCode implements LiveArrays {
  readonly labels: LabelKind;
  /** Live instructions: where Predict and Learn begin, and the number of all. */
  firstOfPredict = 0;
  firstOfLearn = 0;
  end = 0;
  slotCount = 0;
  ops!: Int32Array;
  out!: Int32Array;
  in1!: Int32Array;
  in2!: Int32Array;
  marks!: Int32Array;
  index1!: Int32Array;
  index2!: Int32Array;
  constants!: Float64Array;
  slotType!: Int32Array;
  private readonly analysis = new LivenessAnalysis();

  /** Into the arrays that are given, while they are large enough. */
  constructor(labels: LabelKind, arrays: LiveArrays = makeArrays(64, 64)) {
    this.labels = labels;
    this.use(arrays);
  }

  setProgram(program: Program): void {
    const { analysis } = this;
    analysis.run(program, this.labels);
    this.reserve(program.setup.length + program.predict.length + program.learn.length, analysis.slotCount);
    this.slotCount = analysis.slotCount;
    for (let slot = 0; slot < analysis.slotCount; slot++) this.slotType[slot] = analysis.slotType[slot]!;
    this.end = 0;
    this.addFunction(program.setup, 0);
    this.firstOfPredict = this.end;
    this.addFunction(program.predict, program.setup.length);
    this.firstOfLearn = this.end;
    this.addFunction(program.learn, program.setup.length + program.predict.length);
  }

  private addFunction(body: readonly Instruction[], first: number): void {
    const { marks, out, in1, in2 } = this.analysis;
    for (let k = 0; k < body.length; k++) {
      if (marks[first + k] === 0) continue;
      const { op, index1, index2, const1, const2 } = body[k]!;
      const to = this.end++;
      this.ops[to] = op;
      this.marks[to] = marks[first + k]!;
      this.out[to] = out[first + k]!;
      this.in1[to] = in1[first + k]!;
      this.in2[to] = in2[first + k]!;
      this.index1[to] = index1;
      this.index2[to] = index2;
      this.constants[2 * to] = const1;
      this.constants[2 * to + 1] = const2;
    }
  }

  private reserve(instructions: number, slots: number): void {
    if (this.ops.length >= instructions && this.slotType.length >= slots) return;
    this.use(makeArrays(2 * instructions, 2 * slots));
  }

  private use({ ops, out, in1, in2, marks, index1, index2, constants, slotType }: LiveArrays): void {
    this.ops = ops;
    this.out = out;
    this.in1 = in1;
    this.in2 = in2;
    this.marks = marks;
    this.index1 = index1;
    this.index2 = index2;
    this.constants = constants;
    this.slotType = slotType;
  }
}
