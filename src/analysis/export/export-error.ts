// What cannot be exported as it was asked for. Must not know commands.

/** A program cannot be exported as it was asked for. The message is one line that says what to change, and `option` says which. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
  readonly option: 'name' | 'loss';

  constructor(option: 'name' | 'loss', message: string) {
    super(message);
    this.option = option;
  }
}
