// Writes an exported class in TypeScript or JavaScript: a module that needs nothing else. Between ⟦ and ⟧ stands what is
// TypeScript only. Must not know how the plan was made.
import { CLASSES, type Loss, MAX_ERROR } from '../../engine/engine.js';
import type { FunctionName } from '../../program/program.js';
import { joinLines, type Syntax, writeBody, writeZeros } from './body.js';
import { functionTexts } from './functions-text.js';
import { chooseNames, type Names, type ReservedNames, ROLE_NAMES } from './names.js';
import type { Plan, PlannedFunction, Value } from './plan.js';
import { numberText, SIZE, scriptElement, scriptExpression, zeros } from './script-expressions.js';
import { SCRIPT_CONSTANTS, SCRIPT_FUNCTIONS, type ScriptFunction } from './script-functions.js';

const KEYWORDS =
  'abstract any arguments as async await boolean break case catch class const continue debugger declare default delete do else enum eval export extends false finally for from function get if implements import in infer instanceof interface is keyof let module namespace never new null number object of package private protected public readonly require return set static string super switch symbol this throw true try type typeof undefined unique unknown var void while with yield';
const GLOBALS = 'Array ArrayLike BigInt Error Float64Array Infinity Math NaN Number Object RangeError';
const MEMBERS =
  'constructor seed features epochs options step stoppedEarly fit partialFit predict predictProbability decisionValues score setup forward learn train run prototype';
/** What functions call something else by. */
const LOCALS = 'X value';

const words = (...texts: readonly string[]) => texts.flatMap((text) => text.split(' '));

/** Names that values must not have. */
const RESERVED: ReservedNames = {
  members: new Set(words(KEYWORDS, MEMBERS)),
  variables: new Set([...words(KEYWORDS, GLOBALS, LOCALS), ...Object.keys(SCRIPT_FUNCTIONS), ...SCRIPT_CONSTANTS]),
};

/** Whether a class may be called so. */
export function isScriptName(name: string): boolean {
  return !RESERVED.variables.has(name);
}

function nameOf(value: Value, names: Names): string {
  if (value.kind === 'parameter') return `this.${names.parameters.get(value.key)!}`;
  const name = value.role === undefined ? names.values.get(value.key)! : ROLE_NAMES[value.role];
  return value.kind === 'field' ? `this.${name}` : name;
}

/** The parts of the class, with the functions that they turn out to need. */
class ScriptWriter {
  private readonly plan: Plan;
  private readonly name: string;
  private readonly to: 'ts' | 'js';
  private readonly names: Names;
  private readonly used = new Set<ScriptFunction>();

  constructor(plan: Plan, name: string, to: 'ts' | 'js') {
    this.plan = plan;
    this.to = to;
    this.name = name;
    this.names = chooseNames(plan, 'camelCase', RESERVED);
  }

  private readonly use = (name: ScriptFunction): ScriptFunction => {
    this.used.add(name);
    return name;
  };

  write(): string {
    const body = this.classText();
    const constants = [`/** A training error above this, or NaN, ends training. */\nconst MAX_ERROR = ${MAX_ERROR};\n`];
    if (this.plan.loss === 'multiclass') constants.push(`const CLASSES = ${CLASSES};\n`);
    return [
      this.typesText(),
      constants.join(''),
      body,
      READ_ROWS,
      checkLabelsText(this.plan.loss),
      ...functionTexts(SCRIPT_FUNCTIONS, this.used),
    ]
      .map((text) => text.replace(/^\n+/, ''))
      .join('\n');
  }

  private get isVector(): boolean {
    return this.plan.loss === 'multiclass';
  }

  private typesText(): string {
    const parameters = this.plan.parameters.map(
      ({ key, value }) =>
        `  /** ${numberText(value)} if not given; ${key} of the program. */\n  readonly ${this.names.parameters.get(key)!}?: number;\n`,
    );
    const seed = this.plan.isRandom
      ? 'Draws the random numbers: a whole number from 0 on; 0 if not given.'
      : 'Without effect: nothing is random here.';
    return `⟦export interface ${this.name}Options {
  /** ${seed} */
  readonly seed?: number;
  /** Length of rows, to predict before any training; otherwise learned from the first rows. */
  readonly features?: number;
${parameters.join('')}}

type Rows = readonly ArrayLike<number>[];
⟧`;
  }

  private classText(): string {
    const { plan, name } = this;
    const fields = plan.fields.map((value) => {
      const initial = value.type === 's' ? '0' : 'new Float64Array(0)';
      const type = value.type === 's' ? '' : '⟦: Float64Array⟧';
      return `  ⟦private ⟧${nameOf(value, this.names).slice('this.'.length)}${type} = ${initial};\n`;
    });
    const parameterNames = plan.parameters.map(({ key }) => this.names.parameters.get(key)!);
    const declared = ['seed', ...parameterNames].map((parameter) => `⟦  readonly ${parameter}: number;\n⟧`);
    const step = plan.countsSteps
      ? '  /** Counts the rows that were predicted, in training too: keys the random numbers. */\n  ⟦private ⟧step = 0;\n'
      : '';
    return `export class ${name} {
${declared.join('')}  /** The length of rows; 0 as long as it is not known. */
  features = 0;
  /** Whether training has ended because an error was NaN or above ${MAX_ERROR}. Until the next fit, nothing is learned then. */
  stoppedEarly = false;
${fields.join('')}${step}
${this.constructorText(parameterNames)}
${TRAINING}
${this.predictingText()}
${this.functionText('setup')}
${this.functionText('predict')}
${plan.functions.learn.statements.length > 0 ? `${this.functionText('learn')}\n` : ''}${this.trainText()}
${this.runText()}}
`;
  }

  private constructorText(parameterNames: readonly string[]): string {
    const { parameters } = this.plan;
    const defaults = parameters.map(({ value }, k) => `, ${parameterNames[k]!} = ${numberText(value)}`).join('');
    const assigned = parameterNames.map((name) => `    this.${name} = ${name};\n`).join('');
    return `  constructor({ seed = 0, features = 0${defaults} }⟦: ${this.name}Options⟧ = {}) {
    if (!Number.isSafeInteger(seed) || seed < 0) throw new RangeError('seed must be a whole number from 0 on');
    this.seed = seed;
${assigned}    if (features > 0) this.setup(features);
  }
`;
  }

  private predictingText(): string {
    switch (this.plan.loss) {
      case 'rms':
        return REGRESSION;
      case 'accuracy':
        this.use('sigmoid');
        return TWO_CLASSES;
      case 'multiclass':
        this.use('softmax');
        this.use('mostLikely');
        return MANY_CLASSES;
    }
  }

  private syntaxOf({ name }: PlannedFunction): Syntax {
    const { plan } = this;
    const step = name === 'setup' ? '0' : 'this.step';
    const context = {
      use: this.use,
      pathOf: (ordinal: number) => `[this.seed, ${step}, ${ordinal}]`,
      ignoresZeroSigns: plan.ignoresZeroSigns,
    };
    return {
      nameOf: (value) => nameOf(value, this.names),
      zerosOf: zeros,
      copyOf: (array) => `${array}.slice()`,
      declare: (local, type, isReassigned) =>
        isReassigned ? `let ${local}${type === 's' ? '' : '⟦: Float64Array⟧'}` : `const ${local}`,
      elementOf: scriptElement,
      expressionOf: (statement, operands) =>
        statement.parameter === undefined
          ? scriptExpression(statement, operands, context)
          : `this.${this.names.parameters.get(statement.parameter.key)!}`,
      mayUpdate: ({ op }) => op.output === 's',
      end: ';',
    };
  }

  private functionText(name: FunctionName): string {
    const { plan } = this;
    const fn = plan.functions[name];
    const syntax = this.syntaxOf(fn);
    const lines = [...(name === 'setup' ? writeZeros(plan.zeroFields, syntax) : []), ...writeBody(fn, syntax)];
    const settled = lines.map(({ code, comment }) => ({ code: settle(code, this.to), comment }));
    const body = joinLines(settled, '    ', ' // ');
    if (name === 'setup') return this.setupText(body);
    const parameters = this.parametersOf(fn);
    if (name === 'learn') {
      return `  /** Learns from the row that was just predicted. */\n  ⟦private ⟧learn(${parameters})⟦: void⟧ {\n${body}  }\n`;
    }
    const step = plan.countsSteps ? '    this.step += 1;\n' : '';
    const result = plan.keepsPrediction ? 'this.prediction' : 'prediction';
    const type = this.isVector ? 'Float64Array' : 'number';
    return `  ⟦private ⟧forward(${parameters})⟦: ${type}⟧ {\n${step}${body}    return ${result};\n  }\n`;
  }

  private parametersOf({ given }: PlannedFunction): string {
    return (['features', 'label', 'prediction'] as const)
      .filter((role) => given.includes(role))
      .map((role) => `${ROLE_NAMES[role]}⟦: ${role === 'features' || this.isVector ? 'Float64Array' : 'number'}⟧`)
      .join(', ');
  }

  private setupText(body: string): string {
    const { plan } = this;
    const check = this.isVector
      ? `    if (features < CLASSES) throw new RangeError(\`\${CLASSES} classes need at least as many features, not \${features}\`);\n`
      : '';
    const step = plan.countsSteps ? '    this.step = 0;\n' : '';
    return `  /** Forgets everything. */
  ⟦private ⟧setup(features⟦: number⟧)⟦: void⟧ {
${check}    ${SIZE} = features;
    this.stoppedEarly = false;
${step}${body}  }
`;
  }

  private get forwardCall(): string {
    return `forward(${this.plan.functions.predict.given.includes('features') ? 'x' : ''})`;
  }

  private trainText(): string {
    const { loss, keepsPrediction, functions } = this.plan;
    const { given, statements } = functions.learn;
    const needsRow = functions.predict.given.includes('features') || given.includes('features');
    const normalize = loss === 'rms' ? undefined : this.use(loss === 'accuracy' ? 'sigmoid' : 'softmax');
    const forward = `this.${this.forwardCall}`;
    const error = this.isVector ? '1 - prediction[labels[k]⟦!⟧]⟦!⟧' : 'labels[k]⟦!⟧ - prediction';
    const kept = keepsPrediction && normalize !== undefined ? '      this.prediction = prediction;\n' : '';
    const label = this.isVector
      ? `${given.includes('label') ? this.use('oneHot') : ''}(labels[k]⟦!⟧, ${SIZE})`
      : 'labels[k]⟦!⟧';
    const argumentTexts = { features: 'x', label, prediction: 'prediction' };
    const passed = (['features', 'label', 'prediction'] as const)
      .filter((role) => given.includes(role))
      .map((role) => argumentTexts[role]);
    const about =
      normalize === undefined
        ? ''
        : `      // Learning sees ${this.isVector ? 'probabilities' : 'the probability of class 1'}.\n`;
    return `  ⟦private ⟧train(rows⟦: readonly Float64Array[]⟧, labels⟦: ArrayLike<number>⟧)⟦: void⟧ {
    for (let k = 0; k < rows.length && !this.stoppedEarly; k++) {
${needsRow ? '      const x = rows[k]⟦!⟧;\n' : ''}${about}      const prediction = ${normalize === undefined ? forward : `${normalize}(${forward})`};
${kept}      this.stoppedEarly = !(Math.abs(${error}) <= MAX_ERROR);
${statements.length > 0 ? `      if (!this.stoppedEarly) this.learn(${passed.join(', ')});\n` : ''}    }
  }
`;
  }

  private runText(): string {
    const { isStateful } = this.plan;
    const type = this.isVector ? 'number[][]' : 'number[]';
    const copy = isStateful
      ? `    // Predicting changes what the model remembers: rows are taken in their order, by a copy of it.
    const model⟦: ${this.name}⟧ = Object.assign(Object.create(${this.name}.prototype), this);\n`
      : '';
    const forward = `${isStateful ? 'model' : 'this'}.${this.forwardCall}`;
    const argument = this.plan.functions.predict.given.includes('features') ? '(x)' : '()';
    const result = this.isVector ? `Array.from(${forward}.subarray(0, CLASSES))` : forward;
    return `  ⟦private ⟧run(X⟦: Rows⟧)⟦: ${type}⟧ {
    if (${SIZE} === 0) throw new Error('there is nothing to predict with: call fit first');
    const rows = readRows(X, ${SIZE});
${copy}    return rows.map(${argument} => ${result});
  }
`;
  }
}

const TRAINING = `  /** Forgets everything and trains on the rows in their order, \`epochs\` times. */
  fit(X⟦: Rows⟧, y⟦: ArrayLike<number>⟧, { epochs = 1 }⟦: { readonly epochs?: number }⟧ = {})⟦: this⟧ {
    const features = X[0]?.length ?? 0;
    const rows = readRows(X, features);
    checkLabels(y, rows.length);
    this.setup(features);
    for (let epoch = 0; epoch < epochs; epoch++) this.train(rows, y);
    return this;
  }

  /** Goes on training, once over the rows. */
  partialFit(X⟦: Rows⟧, y⟦: ArrayLike<number>⟧)⟦: this⟧ {
    if (this.features === 0) return this.fit(X, y);
    const rows = readRows(X, this.features);
    checkLabels(y, rows.length);
    this.train(rows, y);
    return this;
  }
`;

const REGRESSION = `  predict(X⟦: Rows⟧)⟦: number[]⟧ {
    return this.run(X);
  }

  /** The coefficient of determination, R²: 1 is perfect, 0 as good as the mean. */
  score(X⟦: Rows⟧, y⟦: ArrayLike<number>⟧)⟦: number⟧ {
    const labels = Array.from(y);
    const average = labels.reduce((total, label) => total + label, 0) / labels.length;
    const unexplained = this.predict(X).reduce((total, value, k) => total + (labels[k]⟦!⟧ - value) ** 2, 0);
    const all = labels.reduce((total, label) => total + (label - average) ** 2, 0);
    if (all === 0) return unexplained === 0 ? 1 : 0;
    return 1 - unexplained / all;
  }
`;

const ACCURACY = `  /** The part of the rows whose class is right. */
  score(X⟦: Rows⟧, y⟦: ArrayLike<number>⟧)⟦: number⟧ {
    const right = this.predict(X).filter((value, k) => value === y[k]);
    return right.length / y.length;
  }
`;

const TWO_CLASSES = `  /** Classes, 0 or 1. */
  predict(X⟦: Rows⟧)⟦: number[]⟧ {
    return this.predictProbability(X).map((probability) => (probability > 0.5 ? 1 : 0));
  }

  /** The probability of class 1. */
  predictProbability(X⟦: Rows⟧)⟦: number[]⟧ {
    return this.decisionValues(X).map(sigmoid);
  }

  /** Above 0 for class 1. */
  decisionValues(X⟦: Rows⟧)⟦: number[]⟧ {
    return this.run(X);
  }

${ACCURACY}`;

const MANY_CLASSES = `  /** Classes, 0 to ${CLASSES - 1}. */
  predict(X⟦: Rows⟧)⟦: number[]⟧ {
    return this.decisionValues(X).map(mostLikely);
  }

  /** The probability of each class. */
  predictProbability(X⟦: Rows⟧)⟦: number[][]⟧ {
    return this.decisionValues(X).map((values) => Array.from(softmax(Float64Array.from(values))));
  }

  /** One value for each class: the largest wins. */
  decisionValues(X⟦: Rows⟧)⟦: number[][]⟧ {
    return this.run(X);
  }

${ACCURACY}`;

const READ_ROWS = `function readRows(X⟦: Rows⟧, features⟦: number⟧)⟦: Float64Array[]⟧ {
  if (features === 0) throw new RangeError('there are no features to learn from');
  return X.map((row) => {
    if (row.length !== features) throw new RangeError(\`expected rows of \${features} features, not of \${row.length}\`);
    const values = Float64Array.from(row);
    if (!values.every(Number.isFinite)) throw new RangeError('features must be finite numbers');
    return values;
  });
}
`;

/** When a label is wrong, and what it should have been. */
const LABELS: { readonly [L in Loss]: readonly [isWrong: string, expected: string] } = {
  rms: ['!Number.isFinite(label)', 'finite numbers'],
  accuracy: ['label !== 0 && label !== 1', 'the classes 0 and 1'],
  multiclass: ['!Number.isInteger(label) || label < 0 || label >= CLASSES', `the classes 0 to ${CLASSES - 1}`],
};

function checkLabelsText(loss: Loss): string {
  const [isWrong, expected] = LABELS[loss];
  return `function checkLabels(y⟦: ArrayLike<number>⟧, count⟦: number⟧)⟦: void⟧ {
  if (y.length !== count) throw new RangeError(\`\${count} rows have \${y.length} labels\`);
  if (Array.from(y).some((label) => ${isWrong})) throw new RangeError('labels must be ${expected}');
}
`;
}

/** Leaves of a template what belongs to the language. */
function settle(text: string, to: 'ts' | 'js'): string {
  return to === 'ts' ? text.replace(/[⟦⟧]/g, '') : text.replace(/⟦[^⟧]*⟧/g, '');
}

/** The file without its opening comment. */
export function writeScript(plan: Plan, name: string, to: 'ts' | 'js'): string {
  return settle(new ScriptWriter(plan, name, to).write(), to).replace(/^\n+/, '');
}
