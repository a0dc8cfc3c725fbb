// What is wrong with data that came from outside: a file, a table, a choice of examples that the data cannot give.

/** Data that cannot be used. The message names the file and the place in it; whoever gave the data can mend it. */
export class DataError extends Error {
  override readonly name = 'DataError';
}
