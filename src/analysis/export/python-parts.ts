// The parts of exported Python classes that depend on the kind of task alone: checks, training, predicting, scores and what
// scikit-learn asks of estimators. Must not know programs.
import { CLASSES, type Loss } from '../../engine/engine.js';
import type { PythonFunction } from './python-functions.js';

/** Numbers may overflow or be divided by zero: NumPy need not say so. */
export const QUIET = '    @np.errstate(all="ignore")\n';

interface Kind {
  /** What older versions of scikit-learn look at. */
  readonly estimatorType: string;
  readonly uses: readonly PythonFunction[];
  readonly predicting: string;
  /** scikit-learn's own classes are not imported unless it is there and asks. */
  readonly tags: string;
}

const tags = (kind: 'regressor' | 'classifier', type: string, given: string) => `    def __sklearn_tags__(self):
        from sklearn.utils import ${type}, Tags, TargetTags

        return Tags(
            estimator_type="${kind}",
            target_tags=TargetTags(required=True),
            ${kind}_tags=${type}(${given}),
        )
`;

export const REGRESSOR: Kind = {
  estimatorType: 'regressor',
  uses: [],
  predicting: `    def predict(self, X):
        return self._run(X)

${QUIET}    def score(self, X, y):
        """The coefficient of determination: 1 is perfect, 0 as good as the mean."""
        y = np.asarray(y, dtype=float)
        unexplained = np.sum((y - self.predict(X)) ** 2)
        everything = np.sum((y - np.mean(y)) ** 2)
        if everything == 0:
            return 1.0 if unexplained == 0 else 0.0
        return float(1 - unexplained / everything)
`,
  tags: tags('regressor', 'RegressorTags', ''),
};

const ACCURACY = `    def score(self, X, y):
        """The part of the rows whose class is right."""
        return float(np.mean(self.predict(X) == np.asarray(y)))
`;

export const CLASSIFIER: { readonly [L in Exclude<Loss, 'rms'>]: Kind } = {
  accuracy: {
    estimatorType: 'classifier',
    uses: ['sigmoid'],
    predicting: `    def predict(self, X):
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]

${QUIET}    def predict_proba(self, X):
        probability = sigmoid(self.decision_function(X))
        return np.column_stack([1.0 - probability, probability])

    def decision_function(self, X):
        """Above 0 for the second class."""
        return self._run(X)

${ACCURACY}`,
    tags: tags('classifier', 'ClassifierTags', 'multi_class=False'),
  },
  multiclass: {
    estimatorType: 'classifier',
    uses: ['softmax', 'most_likely'],
    predicting: `    def predict(self, X):
        return self.classes_[[most_likely(values) for values in self.decision_function(X)]]

${QUIET}    def predict_proba(self, X):
        return np.array([softmax(values, CLASSES) for values in self.decision_function(X)])

    def decision_function(self, X):
        """One value for each class: the largest wins."""
        return self._run(X)[:, : len(self.classes_)]

${ACCURACY}`,
    tags: tags('classifier', 'ClassifierTags', ''),
  },
};

const REGRESSION_FIT = `    def fit(self, X, y):
        X, y = self._check(X, y)
        self._setup(X.shape[1])
        for _ in range(self.epochs):
            if not self.stopped_early_:
                self._train(X, y)
        return self

    def partial_fit(self, X, y):
        """Goes on training, once over the rows. After an early stop nothing is learned until the next fit."""
        X, y = self._check(X, y, getattr(self, "n_features_in_", None))
        if not hasattr(self, "n_features_in_"):
            self._setup(X.shape[1])
        self._train(X, y)
        return self

    def _check(self, X, y, features=None):
        X = check_rows(X, features)
        y = np.asarray(y, dtype=float)
        if y.shape != (len(X),):
            raise ValueError(f"{len(X)} rows need as many targets, not an array of shape {y.shape}")
        if not np.all(np.isfinite(y)):
            raise ValueError("targets must be finite numbers")
        return X, y
`;

const CLASSES_FIT = `    def fit(self, X, y):
        X, y = self._check(X, y)
        self.classes_ = self._find_classes(y)
        self._setup(X.shape[1])
        for _ in range(self.epochs):
            if not self.stopped_early_:
                self._train(X, self._number_classes(y))
        return self

    def partial_fit(self, X, y, classes=None):
        """Goes on training, once over the rows. The first call names all classes, or has rows of each.
        After an early stop nothing is learned until the next fit."""
        X, y = self._check(X, y, getattr(self, "n_features_in_", None))
        if not hasattr(self, "n_features_in_"):
            self.classes_ = self._find_classes(y if classes is None else classes)
            self._setup(X.shape[1])
        self._train(X, self._number_classes(y))
        return self

    def _check(self, X, y, features=None):
        X = check_rows(X, features)
        y = np.asarray(y)
        if y.shape != (len(X),):
            raise ValueError(f"{len(X)} rows need as many classes, not an array of shape {y.shape}")
SIZE        return X, y

    def _find_classes(self, y):
        classes = np.unique(y)
        if LIMIT:
            raise ValueError(f"expected EXPECTED, not {len(classes)}")
        return classes

    def _number_classes(self, y):
        if not np.all(np.isin(y, self.classes_)):
            raise ValueError(f"y has classes other than {list(self.classes_)}")
        return np.searchsorted(self.classes_, y)FLOAT
`;

/** Checks, fit and partial_fit. */
export function fitText(loss: Loss): string {
  switch (loss) {
    case 'rms':
      return REGRESSION_FIT;
    case 'accuracy':
      return CLASSES_FIT.replace('SIZE', '')
        .replace('LIMIT', 'len(classes) != 2')
        .replace('EXPECTED', 'two classes')
        .replace('FLOAT', '.astype(float)');
    case 'multiclass':
      return CLASSES_FIT.replace(
        'SIZE',
        `        if X.shape[1] < CLASSES:
            raise ValueError(f"{CLASSES} classes need at least as many features, not {X.shape[1]}")
`,
      )
        .replace('LIMIT', 'not 2 <= len(classes) <= CLASSES')
        .replace('FLOAT', '')
        .replace('EXPECTED', `2 to ${CLASSES} classes`);
  }
}

export function checkRowsText(): string {
  return `def check_rows(X, features=None):
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(f"expected rows of features, not an array of shape {X.shape}")
    if features is not None and X.shape[1] != features:
        raise ValueError(f"X has {X.shape[1]} features, but this model was trained on {features}")
    if not np.all(np.isfinite(X)):
        raise ValueError("features must be finite numbers")
    return X
`;
}
