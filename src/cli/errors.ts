// The two ways a command can end badly: a user's mistake (exit code 2) and a failure (exit code 1). Both print one clear
// line; anything else that is thrown is a bug in evozero. And what a command ends with that a signal has interrupted.

/** Something that the user can mend. The message names the file, field or flag. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** The command ran, and its answer is no. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

export const EXIT_FAILURE = 1;
export const EXIT_USER_ERROR = 2;
/** What a process ends with that one of these signals has ended: 128 and the number of the signal. */
export const EXIT_SIGNALS: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
