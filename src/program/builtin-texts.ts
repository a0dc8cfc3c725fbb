// Made from builtin/**/*.alg by `npm run docs`; do not edit.
export const BUILTIN_TEXTS: Readonly<Record<string, string>> = {
  'gallery/backprop': `# Backpropagation, invented from random programs in minutes by the method evozero: a two-layer network, each of whose nine instructions of Learn is one of the textbook's.
# The error s1, times the rate, goes back through the derivative of the ReLU (v6) and the second layer's weights v7 to the first layer m0; the second layer
# learns from the hidden units v5 where they are active. The ReLU is cut off at v4, the error of the step before, which is close to zero. On the same
# tasks paper/linear has 0.1812 and paper/neural-net-no-bias 0.6503 as it is, and 0.7643 with initial weights of 0.3 and a rate of 0.006, the best of nine such pairs.
# origin: evozero run invent-backprop
# score: 0.781161
# measured: eval gallery/backprop --tasks network-final --features 8 --count 100 --train 10000 --valid 100 --seed 1
def Setup():
  v4 = gaussian(-0.1493364103244149, 0.1552005010104771)
  s3 = 0.01312456856766806
  m0 = gaussian(0.20825094302890926, 0.5334140047386878)

def Predict(v0):
  v3 = dot(m0, v0)
  v5 = maximum(v3, v4)
  s1 = dot(v5, v7)

def Learn(v0, s0):
  s1 = s0 - s1
  s1 = s1 * s3
  v6 = heaviside(v3)
  v4 = s1 * v6
  v2 = v7 * v4
  m1 = outer(v2, v0)
  m0 = m1 + m0
  v2 = v4 * v5
  v7 = v2 + v7
`,
  'gallery/digits': `# Classifies handwritten digits in pairs. The weights v3 are moved by all gradients so far (v5 sums them up, as momentum that never fades) and by a Hebbian
# term, the features times the label (v8). On the same tasks paper/logistic has 0.9643 and paper/neural-net 0.9625, both as they
# are, not tuned.
# origin: evozero run digits --seed 2 --islands 2 --max-algorithms 900000
# score: 0.972024
# measured: eval gallery/digits --tasks digits-binary-select --features 16 --count 90 --epochs 4 --seed 3
def Setup():
  v6 = gaussian(-0.4085494205419655, 0.9380430902539165)

def Predict(v0):
  s3 = dot(v0, v3)
  v5 = v5 + v6
  s1 = s3 + s0

def Learn(v0, s0):
  v8 = s0 * v0
  v7 = v3 + v8
  s2 = s0 - s1
  v6 = s2 * v0
  v3 = v5 + v7
`,
  'gallery/linear': `# Linear regression by gradient descent, a step late: each example's gradient is scaled and added to the weights only when the next
# example has come. Found from random programs in seconds.
# origin: evozero run linear --seed 0 --islands 2
# score: 1.000000
# measured: eval gallery/linear --tasks linear-final --features 4 --count 100 --train 1000 --valid 100 --seed 1
def Setup():
  v2 = v0 + v2
  v1 = s2 * v0
  v2 = v0 + v2

def Predict(v0):
  s1 = dot(v2, v0)

def Learn(v0, s0):
  s1 = 0.14205019874325783
  v1 = s1 * v1
  s1 = dot(v0, v2)
  s3 = s0 - s1
  v2 = v2 + v1
  v1 = s3 * v0
`,
  'gallery/main': `# The best of five runs from empty programs on projected CIFAR-10 and MNIST (evozero reproduce main): a linear classifier. The weights v12 add up the
# features, or take them away, by the label; v10, which the first steps turn into a constant, scales the features. On the same tasks paper/logistic
# has 0.6934 and paper/neural-net 0.7254, both as they are, not tuned: hours of two cores did not find more.
# origin: evozero run main --seed 0 --islands 2 with the settings that results/main.json notes
# score: 0.667678
# measured: eval gallery/main --tasks cifar10-binary-select --features 16 --count 45 --train 8000 --valid 2000 --precision f32 --seed 2
def Setup():
  m0 = gaussian(-1.3321229761258766, 14.509204610384145)
  m0[13, 1] = 1.6990830573294553
  m0[3, 4] = 0.806850477166901
  m0[13, 13] = -0.5626948790852446
  m0[8, 9] = -0.5950350665940922
  v10 = uniform(0.34093154813588256, 2.609016083542494)
  m0[14, 9] = -0.5796518364097709
  v12 = uniform(19.503403697713793, -14.19795745956596)
  m0[5, 4] = 0.00007910434843505683

def Predict(v0):
  m1 = maximum(m0, m0)
  v4 = v10 * v0
  m2 = transpose(m1)
  m0 = heaviside(m0)
  s1 = dot(v12, v4)

def Learn(v0, s0):
  v10 = mean(m2, axis=1)
  v4 = s0 * v0
  v12 = v4 + v12
`,
  'paper/affine': `# Affine regression (linear with an intercept) trained by gradient descent: the known solution of the affine tasks.
def Setup():
  s2 = 0.05            # learning rate

def Predict(v0):
  s1 = dot(v0, v1)     # v1: weights
  s1 = s1 + s3         # s3: intercept

def Learn(v0, s0):
  s4 = s0 - s1         # error
  s4 = s2 * s4
  s3 = s3 + s4
  v2 = s4 * v0         # gradient step
  v1 = v1 + v2
`,
  'paper/evolved': `# The best program evolved on projected binary CIFAR-10, as the authors cleaned it (figure 6, bottom right): noisy bilinear
# model, normalized gradient, weights accumulated for inference.
def Setup():
  s4 = 1.8e-3                  # learning rate

def Predict(v0):
  v2 = v0 + v1                 # add noise
  v3 = v0 - v1                 # subtract noise
  v4 = dot(m0, v2)
  s1 = dot(v3, v4)             # bilinear in the features
  m0 = s2 * m2                 # in validation: the accumulated weights

def Learn(v0, s0):
  s3 = s0 - s1                 # error
  m0 = outer(v3, v0)
  s2 = norm(m0)
  s5 = s3 / s2                 # normalized error
  v5 = s5 * v3
  m0 = outer(v5, v2)           # gradient
  m1 = m1 + m0
  m2 = m2 + m1                 # accumulate the weights
  m0 = s4 * m1
  v1 = uniform(2.4e-3, 0.67)   # noise
`,
  'paper/evolved-intermediate': `# An intermediate stage of the experiment on projected binary CIFAR-10 (figure 6, top): a linear model with a scaled error.
def Setup():
  v1 = gaussian(0.0, 0.01)
  s2 = -1.3

def Predict(v0):
  s1 = dot(v0, v1)

def Learn(v0, s0):
  s3 = s1 / s2
  s1 = s0 + s3
  v2 = s1 * v0
  v1 = v1 + v2
`,
  'paper/evolved-raw': `# The best program evolved on projected binary CIFAR-10, as evolution left it (supplement, "Evolved Algorithms").
def Setup():
  s4 = uniform(0.6, 0.2)
  v3 = gaussian(0.7, 0.4)
  v12 = gaussian(0.2, 0.6)
  s1 = uniform(-0.1, -0.2)

def Predict(v0):
  v1 = v0 - v9
  v5 = v0 + v9
  v6 = dot(m1, v5)
  m1 = s2 * m2
  s1 = dot(v6, v1)
  s6 = cos(s4)

def Learn(v0, s0):
  s4 = s0 - s1
  s3 = abs(s1)
  m1 = outer(v1, v0)
  s5 = sin(s4)
  s2 = norm(m1)
  s7 = s5 / s2
  s4 = s4 + s6
  v11 = s7 * v1
  m1 = heaviside(m2)
  m1 = outer(v11, v5)
  m0 = m1 + m0
  v9 = uniform(2e-3, 0.7)
  s7 = log(s0)
  s4 = std(m0)
  m2 = m2 + m0
  m1 = s4 * m0
`,
  'paper/evolved-simplified': `# paper/evolved-raw after static analysis, as the supplement prints it.
def Setup():

def Predict(v0):
  v1 = v0 - v9
  v5 = v0 + v9
  v6 = dot(m1, v5)
  m1 = s2 * m2
  s1 = dot(v6, v1)

def Learn(v0, s0):
  s4 = s0 - s1
  m1 = outer(v1, v0)
  s5 = sin(s4)
  s2 = norm(m1)
  s7 = s5 / s2
  v11 = s7 * v1
  m1 = outer(v11, v5)
  m0 = m1 + m0
  v9 = uniform(2e-3, 0.7)
  s4 = std(m0)
  m2 = m2 + m0
  m1 = s4 * m0
`,
  'paper/fast-training-raw': `# Adaptation to fast training: a learning rate that decays by arctan, as evolution left it (supplement, "Evolved
# Algorithms"). The figure's \`v7 = s4 + v11\` is no op of the paper; it is read as a product.
def Setup():
  s3 = 0.37
  s1 = uniform(0.42, 0.66)
  s2 = 0.31
  v13 = gaussian(0.69, 0.61)
  v1 = gaussian(-0.86, 0.97)

def Predict(v0):
  m3 = m1 + m2
  s6 = arccos(s0)
  v3 = dot(m0, v0)
  v3 = v3 - v0
  v11 = v2 + v9
  m2 = m0 - m2
  s4 = maximum(s8, s0)
  s7 = 1 / s6
  s6 = arctan(s0)
  s8 = minimum(s3, s1)
  v4 = maximum(v3, v10)
  s1 = dot(v4, v2)
  s1 = s1 + s2

def Learn(v0, s0):
  v1 = dot(m0, v5)
  s4 = s0 - s1
  s4 = s3 * s4
  s2 = s2 + s4
  m3 = matmul(m0, m3)
  m2 = bcast(v2, axis=0)
  v13 = s4 * v4
  v15 = v10 + v12
  v2 = v11 + v13
  v7 = s4 * v11
  v11 = v7 + v8
  s8 = s9 + s1
  m2 = m3 * m0
  s3 = arctan(s3)
  v8 = heaviside(v3)
  m2 = transpose(m1)
  s8 = heaviside(s6)
  s8 = norm(m3)
  v7 = v8 * v7
  m3 = outer(v7, v0)
  m0 = m0 + m3
`,
  'paper/few-examples-raw': `# Adaptation to few training examples: a noisy ReLU, as evolution left it (supplement, "Evolved Algorithms").
def Setup():
  s3 = 4.0e-3

def Predict(v0):
  v7 = v5 - v0
  v3 = dot(m0, v0)
  s8 = s9 / s3
  v3 = v3 + v1
  m1 = heaviside(m3)
  v4 = maximum(v3, v7)
  s1 = dot(v4, v2)
  s4 = log(s9)
  v3 = bcast(s8)
  s7 = std(v1)
  v3 = v14 + v0
  m2 = matmul(m0, m2)

def Learn(v0, s0):
  v1 = gaussian(-0.50, 0.41)
  s4 = std(m0)
  s4 = s0 - s1
  v5 = gaussian(-0.48, 0.48)
  m1 = transpose(m3)
  s4 = s3 * s4
  v15 = v15 * v6
  v6 = s4 * v4
  v2 = v2 + v6
  v7 = s4 * v2
  v8 = heaviside(v3)
  v7 = v8 * v7
  m1 = outer(v7, v0)
  m0 = m0 + m1
`,
  'paper/linear': `# Linear regression trained by gradient descent, one example at a time: the known solution of the linear tasks.
def Setup():
  s2 = 0.05            # learning rate

def Predict(v0):
  s1 = dot(v0, v1)     # v1: weights

def Learn(v0, s0):
  s3 = s0 - s1         # error
  s3 = s2 * s3
  v2 = s3 * v0         # gradient step
  v1 = v1 + v2
`,
  'paper/logistic': `# Logistic regression: the update of paper/linear at a rate for classification, where s1 is made a probability before Learn.
def Setup():
  s2 = 0.01            # learning rate

def Predict(v0):
  s1 = dot(v0, v1)     # v1: weights

def Learn(v0, s0):
  s3 = s0 - s1         # error
  s3 = s2 * s3
  v2 = s3 * v0         # gradient step
  v1 = v1 + v2
`,
  'paper/logistic-multiclass': `# Logistic regression of many classes: the softmax is the engine's.
def Setup():
  s2 = 0.01            # learning rate

def Predict(v0):
  v2 = dot(m0, v0)     # m0: weights
  v2 = v2 + v3         # v3: biases

def Learn(v0, v1):
  v4 = v1 - v2         # error
  v4 = s2 * v4
  v3 = v3 + v4
  m1 = outer(v4, v0)   # gradient step
  m0 = m0 + m1
`,
  'paper/multi-class-raw': `# Adaptation to ten classes: the mean of the weights as learning rate, as evolution left it (supplement, "Evolved
# Algorithms"). The label is the vector v1 and the prediction the vector v2.
def Setup():
  m3 = uniform(0.05, 0.11)
  s1 = uniform(0.31, 0.90)
  v18 = uniform(-0.49, 4.41)
  s1 = -0.65
  m5 = uniform(0.21, 0.22)
  v9 = gaussian(0.64, 7.8e-3)
  s1 = -0.84

def Predict(v0):
  s1 = abs(s1)
  v15 = norm(m1, axis=1)
  v15 = dot(m0, v0)
  v8 = v19 - v0
  v15 = v8 + v15
  v7 = max(v1, v15)
  v13 = min(v5, v4)
  m2 = transpose(m2)
  v10 = v13 * v0
  m7 = heaviside(m3)
  m4 = transpose(m7)
  v2 = dot(m1, v7)
  v6 = max(v2, v9)
  v2 = v2 + v13
  v11 = heaviside(v17)
  s1 = sin(s1)
  m3 = m6 - m5
  v19 = heaviside(v14)
  v10 = min(v12, v7)

def Learn(v0, v1):
  m5 = abs(m7)
  v8 = v1 - v2
  m2 = transpose(m2)
  v8 = s1 * v8
  v15 = v15 - v4
  v4 = v4 + v8
  s1 = arcsin(s1)
  v15 = mean(m3, axis=1)
  v12 = v11 * v11
  m4 = heaviside(m5)
  m6 = outer(v8, v7)
  s1 = sin(s1)
  s1 = exp(s0)
  m1 = m1 + m3
  m5 = outer(v15, v6)
  m2 = transpose(m1)
  s1 = exp(s0)
  v12 = uniform(0.30, 0.33)
  s1 = minimum(s0, s1)
  m5 = m5 * m7
  v9 = dot(m2, v8)
  v9 = v10 * v9
  v3 = norm(m7, axis=1)
  s1 = mean(m1)
  m2 = outer(v9, v0)
  m0 = m0 + m2
`,
  'paper/neural-net': `# Two-layer network with biases and ReLU, trained by backpropagation: the paper's hand-designed nonlinear baseline.
def Setup():
  s3 = 0.01                # learning rate
  v2 = gaussian(0, 0.1)    # second layer's weights
  m0 = gaussian(0, 0.1)    # first layer's weights

def Predict(v0):
  v3 = dot(m0, v0)
  v3 = v3 + v1             # v1: first layer's biases
  v4 = maximum(v3, v5)     # ReLU; v5 stays zero
  s1 = dot(v4, v2)
  s1 = s1 + s2             # s2: second layer's bias

def Learn(v0, s0):
  s4 = s0 - s1             # error
  s4 = s3 * s4
  s2 = s2 + s4
  v6 = s4 * v4             # step of the second layer
  v2 = v2 + v6
  v7 = s4 * v2             # back through the second layer, already updated
  v8 = heaviside(v3)       # derivative of ReLU
  v7 = v8 * v7
  v1 = v1 + v7
  m1 = outer(v7, v0)       # step of the first layer
  m0 = m0 + m1
`,
  'paper/neural-net-multiclass': `# paper/neural-net with a vector of outputs: where searches with ten classes begin.
def Setup():
  s2 = 0.01                # learning rate
  m0 = gaussian(0, 0.1)    # first layer's weights
  m1 = gaussian(0, 0.1)    # second layer's weights

def Predict(v0):
  v3 = dot(m0, v0)
  v3 = v3 + v4             # v4: first layer's biases
  v5 = maximum(v3, v6)     # ReLU; v6 stays zero
  v2 = dot(m1, v5)
  v2 = v2 + v7             # v7: second layer's biases

def Learn(v0, v1):
  v8 = v1 - v2             # error
  v8 = s2 * v8
  v7 = v7 + v8
  m2 = transpose(m1)
  v9 = dot(m2, v8)         # back through the second layer
  m2 = outer(v8, v5)       # step of the second layer
  m1 = m1 + m2
  v10 = heaviside(v3)      # derivative of ReLU
  v9 = v10 * v9
  v4 = v4 + v9
  m2 = outer(v9, v0)       # step of the first layer
  m0 = m0 + m2
`,
  'paper/neural-net-no-bias': `# Two-layer network without biases, trained by backpropagation: the known solution of the teacher-network tasks.
def Setup():
  s3 = 0.01                # learning rate
  v2 = gaussian(0, 0.1)    # second layer's weights
  m0 = gaussian(0, 0.1)    # first layer's weights

def Predict(v0):
  v3 = dot(m0, v0)
  v4 = maximum(v3, v5)     # ReLU; v5 stays zero
  s1 = dot(v4, v2)

def Learn(v0, s0):
  s2 = s0 - s1             # error
  s2 = s3 * s2
  v6 = s2 * v4             # step of the second layer
  v2 = v2 + v6
  v7 = s2 * v2             # back through the second layer, already updated
  v1 = heaviside(v3)       # derivative of ReLU
  v7 = v1 * v7
  m1 = outer(v7, v0)       # step of the first layer
  m0 = m0 + m1
`,
  'paper/rediscovered-net': `# The neural network that evolution rediscovered from teacher-network tasks (figure 5). The figure's 0 in maximum is v5.
def Setup():
  m1 = gaussian(-1e-10, 9e-09)
  s3 = 4.1
  v4 = gaussian(-0.033, 0.01)

def Predict(v0):
  v6 = dot(m1, v0)
  v7 = maximum(v5, v6)
  s1 = dot(v7, v4)

def Learn(v0, s0):
  v3 = heaviside(v6, 1.0)
  s1 = s0 - s1
  s2 = s1 * s3
  v2 = s2 * v3
  v3 = v2 * v4
  m0 = outer(v3, v0)
  m1 = m1 + m0
  v4 = v2 + v4
`,
};
