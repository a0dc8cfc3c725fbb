// The library: what `import ... from 'evozero'` gives, in Node and in browsers. docs/reference/api.md is made of it; a test fails if
// anything here has no comment.

export { toDot } from './analysis/diagram/dot.js';
export { type Graph, type GraphEdge, type GraphNode, graphOf } from './analysis/diagram/graph.js';
export { toMermaid } from './analysis/diagram/mermaid.js';
export { toSvg } from './analysis/diagram/svg.js';
export { explain } from './analysis/explain/explain.js';
export {
  type Explanation,
  type Place,
  TECHNIQUES,
  type Technique,
  type TechniqueName,
} from './analysis/explain/explanation.js';
export { latex } from './analysis/explain/latex.js';
export { ExportError } from './analysis/export/export-error.js';
export { type ExportLanguage, type ExportOptions, exportProgram } from './analysis/export/export-program.js';
export { type Judge, type JudgeOptions, localJudge, type Trial, type Verdict } from './analysis/judge.js';
export type { Constant } from './analysis/tune/constants.js';
export {
  type Candidate,
  type Tuned,
  type TuneProgress,
  type TuneSettings,
  type TuningMethod,
  tune,
} from './analysis/tune/tune.js';
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
export {
  CandidateEvaluator,
  type Evaluation,
  type EvaluationCounts,
  type EvaluationOptions,
  type Judgement,
} from './evaluate/candidate-evaluator.js';
export { type FitnessKind, type Summary, summarize } from './evaluate/summary.js';
export type { InitialProgram } from './evolve/initial.js';
export type { LineageStep, Origin } from './evolve/lineage.js';
export { MUTATION_NAMES, MUTATION_SETS, type MutationName, type MutationSet } from './evolve/mutations.js';
export { RandomSearch } from './evolve/random-search.js';
export { type EvolutionOptions, RegularizedEvolution } from './evolve/regularized-evolution.js';
export type { Proposal, SearchMethod, Told } from './evolve/search-method.js';
export { type FunctionSpace, SearchSpace, type SpaceOptions } from './evolve/search-space.js';
export { type Config, type ConfigInput, parseConfig } from './experiment/config.js';
export { ConfigError, type ConfigIssue } from './experiment/config-error.js';
export { printConfig, type ReadOptions, readConfig } from './experiment/config-text.js';
export type * from './experiment/events.js';
export type { IslandStatus } from './experiment/field.js';
export { PRESETS, type Preset, type PresetName, presets } from './experiment/presets.js';
export { Run, type Selected } from './experiment/run.js';
export { type SearchOptions, search } from './experiment/search.js';
export type { Snapshot } from './experiment/snapshot.js';
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
export { type Liveness, liveness, simplify } from './program/liveness.js';
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
export { type Allocate, ownFloats, sharedFloats } from './tasks/allocate.js';
export { DataError } from './tasks/data-error.js';
export { DATASETS, type Dataset, type DatasetName } from './tasks/datasets.js';
export type { ImageRequest } from './tasks/image-plan.js';
export {
  type NamedTaskRequest,
  type OpenedTasks,
  type OpenTasks,
  openBuiltinTasks,
} from './tasks/open-tasks.js';
export {
  type RegressionFamily,
  type RegressionOptions,
  type RegressionSeeds,
  regressionTask,
  regressionTaskAt,
} from './tasks/regression.js';
export { decodePrediction, encodeTable, type TableEncoding } from './tasks/tabular/encoding.js';
export type { ColumnKind } from './tasks/tabular/infer.js';
export type { Table } from './tasks/tabular/table.js';
export {
  type ColumnReport,
  type ReadTable,
  readTable,
  splitTable,
  type TableOptions,
  type TableReport,
  type TabularTask,
  tabularTask,
} from './tasks/tabular/tabular.js';
export type { TaskKind } from './tasks/task-kind.js';
export {
  type ImageTaskSet,
  type PairSplit,
  parseTaskSet,
  type RegressionTaskSet,
  type TaskSet,
  taskSetNames,
} from './tasks/task-sets.js';
export { OutOfMemoryError } from './wasm/api.js';
