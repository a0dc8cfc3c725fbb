// Writes an exported class in Python: NumPy only, with scikit-learn's conventions. Must not know how the plan was made.
import { CLASSES, MAX_ERROR } from '../../engine/engine.js';
import type { FunctionName } from '../../program/program.js';
import { joinLines, type Syntax, writeBody, writeZeros } from './body.js';
import { functionTexts } from './functions-text.js';
import { chooseNames, type Names, type ReservedNames, ROLE_NAMES } from './names.js';
import type { Plan, PlannedFunction, Value } from './plan.js';
import { numberText, pythonElement, pythonExpression, SIZE, zeros } from './python-expressions.js';
import { PYTHON_CONSTANTS, PYTHON_FUNCTIONS, type PythonFunction } from './python-functions.js';
import { CLASSIFIER, checkRowsText, fitText, QUIET, REGRESSOR } from './python-parts.js';

const KEYWORDS =
  'False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try type while with yield';
const BUILTINS =
  'ValueError RuntimeWarning abs copy dict enumerate float getattr int isinstance len list np range self setattr sorted super tuple warnings zip';
const MEMBERS =
  'seed epochs fit partial_fit predict predict_proba decision_function score get_params set_params classes n_features_in stopped_early';
/** What functions call something else by. */
const LOCALS = 'n features';

const words = (...texts: readonly string[]) => texts.flatMap((text) => text.split(' '));

/** Names that values must not have. */
const RESERVED: ReservedNames = {
  members: new Set(words(KEYWORDS, MEMBERS)),
  variables: new Set([...words(KEYWORDS, BUILTINS, LOCALS), ...Object.keys(PYTHON_FUNCTIONS), ...PYTHON_CONSTANTS]),
};

/** Whether a class may be called so. */
export function isPythonName(name: string): boolean {
  return !RESERVED.variables.has(name);
}

function nameOf(value: Value, names: Names): string {
  if (value.kind === 'parameter') return `self.${names.parameters.get(value.key)!}`;
  const name = value.role === undefined ? names.values.get(value.key)! : ROLE_NAMES[value.role];
  return value.kind === 'field' ? `self.${name}_` : name;
}

/** The parts of the class, with the functions that they turn out to need. */
class PythonWriter {
  private readonly plan: Plan;
  private readonly name: string;
  private readonly names: Names;
  private readonly parameterNames: readonly string[];
  private readonly used = new Set<PythonFunction>();

  constructor(plan: Plan, name: string) {
    this.plan = plan;
    this.name = name;
    this.names = chooseNames(plan, 'snake_case', RESERVED);
    this.parameterNames = ['seed', 'epochs', ...plan.parameters.map(({ key }) => this.names.parameters.get(key)!)];
  }

  private readonly use = (name: PythonFunction): PythonFunction => {
    this.used.add(name);
    return name;
  };

  private get isVector(): boolean {
    return this.plan.loss === 'multiclass';
  }

  write(): string {
    const { loss, isStateful } = this.plan;
    const imports = `${isStateful ? 'import copy\n' : ''}import warnings\n\nimport numpy as np\n`;
    const constants = `\n# A training error above this, or NaN, ends training.\nMAX_ERROR = ${numberText(MAX_ERROR)}\n`;
    const classes = loss === 'multiclass' ? `CLASSES = ${CLASSES}\n` : '';
    const body = this.classText();
    const parts = [body, checkRowsText(), ...functionTexts(PYTHON_FUNCTIONS, this.used)];
    return `${imports}${constants}${classes}${parts.map((part) => `\n\n${part.replace(/^\n+/, '')}`).join('')}`;
  }

  private classText(): string {
    const { loss, functions } = this.plan;
    const kind = loss === 'rms' ? REGRESSOR : CLASSIFIER[loss];
    for (const name of kind.uses) this.use(name);
    return [
      `class ${this.name}:\n${this.docText()}\n    _estimator_type = "${kind.estimatorType}"\n`,
      this.initText(),
      fitText(loss),
      kind.predicting,
      PARAMETERS.replace('NAMES', this.parameterNames.map((name) => `"${name}"`).join(', ')),
      kind.tags,
      this.functionText('setup'),
      this.functionText('predict'),
      ...(functions.learn.statements.length > 0 ? [this.functionText('learn')] : []),
      this.trainText(),
      this.runText(),
    ]
      .map((part) => part.trimEnd())
      .join('\n\n')
      .concat('\n');
  }

  private docText(): string {
    const { loss, isRandom, parameters } = this.plan;
    const kinds = {
      rms: 'A regressor',
      accuracy: 'A classifier for two classes',
      multiclass: `A classifier for up to ${CLASSES} classes`,
    };
    const seed = isRandom
      ? 'Draws the random numbers: a whole number from 0 on.'
      : 'Without effect: nothing is random here.';
    const described = parameters.map(
      ({ comment }, k) => `    ${this.parameterNames[k + 2]!} : float\n        ${comment.replace(/[\\"]/g, ' ')}\n`,
    );
    return `    """${kinds[loss]} in the manner of scikit-learn. Rows are learned from one at a time, in their order.

    Parameters
    ----------
    seed : int
        ${seed}
    epochs : int
        How often fit goes over the rows.
${described.join('')}    """
`;
  }

  private initText(): string {
    const { parameters } = this.plan;
    const defaults = ['0', '1', ...parameters.map(({ value }) => numberText(value))];
    const declared = this.parameterNames.map((name, k) => `, ${name}=${defaults[k]!}`).join('');
    const assigned = this.parameterNames.map((name) => `        self.${name} = ${name}\n`).join('');
    return `    def __init__(self${declared}):\n${assigned}`;
  }

  private syntaxOf({ name }: PlannedFunction): Syntax {
    const step = name === 'setup' ? '0' : 'self._step';
    const context = {
      use: this.use,
      pathOf: (ordinal: number) => `(self.seed, ${step}, ${ordinal})`,
      ignoresZeroSigns: this.plan.ignoresZeroSigns,
    };
    return {
      nameOf: (value) => nameOf(value, this.names),
      zerosOf: zeros,
      copyOf: (array) => `${array}.copy()`,
      declare: (local) => local,
      elementOf: pythonElement,
      expressionOf: (statement, operands) =>
        statement.parameter === undefined
          ? pythonExpression(statement, operands, context)
          : `self.${this.names.parameters.get(statement.parameter.key)!}`,
      // In place: not while predicting, where a copy of the model shares its arrays; nor where Python's division would raise.
      mayUpdate: ({ op, output }, fn) =>
        op.output === 's'
          ? op.shape === 'map2' && op.fn !== 'divide'
          : output.kind !== 'field' || fn.name !== 'predict',
      end: '',
    };
  }

  private functionText(name: FunctionName): string {
    const { plan } = this;
    const fn = plan.functions[name];
    const syntax = this.syntaxOf(fn);
    const lines = [...(name === 'setup' ? writeZeros(plan.zeroFields, syntax) : []), ...writeBody(fn, syntax)];
    const needsSize = lines.some(({ code }) => new RegExp(`\\b${SIZE}\\b`).test(code));
    const body = (needsSize ? `        ${SIZE} = self.n_features_in_\n` : '') + joinLines(lines, '        ', '  # ');
    if (name === 'setup') {
      const step = plan.countsSteps ? '        self._step = 0\n' : '';
      const quiet = fn.statements.length > 0 ? QUIET : '';
      return `${quiet}    def _setup(self, features):\n        """Forgets everything."""\n        self.n_features_in_ = features\n        self.stopped_early_ = False\n${step}${body}`;
    }
    const parameters = ['self', ...this.argumentsOf(fn, ROLE_NAMES)].join(', ');
    if (name === 'learn') {
      return `    def _learn(${parameters}):\n        """Learns from the row that was just predicted."""\n${body}`;
    }
    const step = plan.countsSteps ? '        self._step += 1\n' : '';
    const result = plan.keepsPrediction ? 'self.prediction_' : 'prediction';
    return `    def _forward(${parameters}):\n${step}${body}        return ${result}\n`;
  }

  private argumentsOf({ given }: PlannedFunction, texts: Readonly<Record<keyof typeof ROLE_NAMES, string>>): string[] {
    return (['features', 'label', 'prediction'] as const)
      .filter((role) => given.includes(role))
      .map((role) => texts[role]);
  }

  private get forwardCall(): string {
    return `_forward(${this.plan.functions.predict.given.includes('features') ? 'x' : ''})`;
  }

  private trainText(): string {
    const { loss, keepsPrediction, functions } = this.plan;
    const { learn } = functions;
    const forward = `self.${this.forwardCall}`;
    const normalized = {
      rms: forward,
      accuracy: `sigmoid(${forward})`,
      multiclass: `softmax(${forward}, CLASSES)`,
    };
    const about = {
      rms: '',
      accuracy: '            # Learning sees the probability of the second class.\n',
      multiclass: '            # Learning sees probabilities.\n',
    };
    const label =
      this.isVector && learn.given.includes('label') ? `${this.use('one_hot')}(label, self.n_features_in_)` : 'label';
    const passed = this.argumentsOf(learn, { ...ROLE_NAMES, label }).join(', ');
    const kept = keepsPrediction && loss !== 'rms' ? '            self.prediction_ = prediction\n' : '';
    const error = this.isVector ? '1.0 - prediction[label]' : 'label - prediction';
    const call =
      learn.statements.length > 0
        ? `            if not self.stopped_early_:\n                self._learn(${passed})\n`
        : '';
    return `${QUIET}    def _train(self, X, labels):
        for x, label in zip(X, labels):
            if self.stopped_early_:
                break
${about[loss]}            prediction = ${normalized[loss]}
${kept}            self.stopped_early_ = not abs(${error}) <= MAX_ERROR
${call}        if self.stopped_early_:
            warnings.warn("training has ended early: an error is NaN or above ${MAX_ERROR}", RuntimeWarning)
`;
  }

  private runText(): string {
    const { isStateful } = this.plan;
    const copied = isStateful
      ? `        # Predicting changes what the model remembers: rows are taken in their order, by a copy of it.
        model = copy.copy(self)\n`
      : '';
    return `${QUIET}    def _run(self, X):
        if not hasattr(self, "n_features_in_"):
            raise ValueError("there is nothing to predict with: call fit first")
        X = check_rows(X, self.n_features_in_)
${copied}        return np.array([${isStateful ? 'model' : 'self'}.${this.forwardCall} for x in X], dtype=float)
`;
  }
}

const PARAMETERS = `    def get_params(self, deep=True):
        return {name: getattr(self, name) for name in (NAMES)}

    def set_params(self, **params):
        for name, value in params.items():
            if name not in self.get_params():
                raise ValueError(f"there is no parameter {name!r}")
            setattr(self, name, value)
        return self
`;

/** The file without its opening comment. */
export function writePython(plan: Plan, name: string): string {
  return new PythonWriter(plan, name).write();
}
