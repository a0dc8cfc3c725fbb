// The programs that the tour shows. Must not know screens.
import { builtinText } from '../program/builtin-text.js';

export const LINEAR = builtinText('paper/linear');

/** Linear regression by gradient descent, without comments. */
const linearAt = (rate: number) => `def Setup():
  s2 = ${rate}

def Predict(v0):
  s1 = dot(v0, v1)

def Learn(v0, s0):
  s3 = s0 - s1
  s3 = s2 * s3
  v2 = s3 * v0
  v1 = v1 + v2
`;

/** It learns far too slowly: there is something to gain. */
export const SLOW_LINEAR = linearAt(0.0004);

const REFERENCE = linearAt(0.01);

/** Each is compared with the first. */
export const DISGUISES = {
  reference: REFERENCE,
  renamed: REFERENCE.replaceAll('v1', 'v7').replaceAll('v2', 'v5').replaceAll('s3', 's9'),
  padded: `def Setup():
  s2 = 0.01
  s5 = 0.3

def Predict(v0):
  s4 = sin(s5)
  s1 = dot(v1, v0)

def Learn(v0, s0):
  s3 = s0 - s1
  m0 = outer(v0, v1)
  s3 = s3 * s2
  v2 = s3 * v0
  v1 = v2 + v1
`,
  detour: `def Setup():
  s2 = 0.01

def Predict(v0):
  s1 = dot(v0, v1)

def Learn(v0, s0):
  s3 = s0 - s1
  s3 = abs(s3)
  s4 = s0 - s1
  s5 = s3 - s3
  s4 = s4 + s5
  s4 = s2 * s4
  v2 = s4 * v0
  v1 = v1 + v2
`,
  other: linearAt(0.0101),
} as const;
