// What cannot be exported as it was asked for. Must not know commands.

/** One line that says what to change, and which option. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
  readonly option: 'name' | 'loss';

  constructor(option: 'name' | 'loss', message: string) {
    super(message);
    this.option = option;
  }
}
