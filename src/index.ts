// The library: what `import ... from 'evozero'` gives.

export { programCost } from './engine/cost.js';
export {
  type Engine,
  type EvaluateOptions,
  type Evaluator,
  type Examples,
  type Loss,
  type Outcome,
  type Task,
  TaskError,
  type Trace,
} from './engine/engine.js';
export { interpreter } from './engine/interpreter.js';
export { type WasmEngine, wasmEngine } from './engine/wasm/engine.js';
export type { WasmEvaluator } from './engine/wasm/evaluator.js';
export { OutOfMemoryError } from './engine/wasm/heap.js';
export { type Summary, summarize } from './evaluate/summary.js';
export { OPS } from './ops/ops.js';
export type { Precision } from './ops/semantics.js';
export type { OpName } from './ops/table.js';
export type { Op, OperandType } from './ops/types.js';
export { BUILTIN_NAMES, type Builtin, builtin } from './program/builtin.js';
export { canonicalHash, canonicalize } from './program/canonical.js';
export {
  type InstructionJson,
  type ProgramJson,
  ProgramJsonError,
  programFromJson,
  programToJson,
} from './program/json.js';
export { ProgramTextError } from './program/lexer.js';
export { liveness, simplify } from './program/liveness.js';
export { type ProgramSource, parseProgram, parseSource } from './program/parse.js';
export { printInstruction, printProgram } from './program/print.js';
export {
  DEFAULT_MEMORY,
  type Instruction,
  type LabelKind,
  type MemorySizes,
  makeInstruction,
  type Program,
  programProblem,
} from './program/program.js';
export { DataError } from './tasks/data-error.js';
export { DATASETS, type Dataset, type DatasetName } from './tasks/datasets.js';
export {
  type RegressionFamily,
  type RegressionOptions,
  type RegressionSeeds,
  regressionTask,
  regressionTaskAt,
} from './tasks/regression.js';
export { type Allocate, ownFloats, sharedFloats } from './tasks/shared-floats.js';
export { decodePrediction, encodeTable, type TableEncoding } from './tasks/tabular/encoding.js';
export type { Table } from './tasks/tabular/table.js';
export { type TableOptions, type TableReport, type TabularTask, tabularTask } from './tasks/tabular/tabular.js';
export { parseTaskSet, type Split, type TaskSet, taskSetNames } from './tasks/task-sets.js';
