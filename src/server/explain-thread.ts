// What the thread that explains programs runs. The other end is explainer.ts.
import { setPriority } from 'node:os';
import { serveRequests } from '../threads/serve-requests.js';
import { answerAbout, type Kind, type Outcome, type Questions } from './answer-about-program.js';

// Searches come first, and pages wait. Only Linux has priorities of threads; elsewhere it would be that of the whole server, and
// of the searches that it starts.
const LOW = 10;
if (process.platform === 'linux') setPriority(0, LOW);

serveRequests(({ kind, question }: { kind: Kind; question: Questions[Kind] }): Outcome<Kind> => {
  try {
    return answerAbout(kind, question as Questions[typeof kind]);
  } catch (error) {
    // A program that nobody thought of must not end the thread, which others wait for.
    return { problem: `It cannot be explained: ${error instanceof Error ? error.message : String(error)}` };
  }
});
