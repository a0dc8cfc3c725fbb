// Bytes of a number that is not known in advance. Must not know what they are.

const FIRST_SIZE = 1 << 20;

export class GrowingBytes {
  private bytes: Uint8Array = new Uint8Array(FIRST_SIZE);
  length = 0;

  /** Room for so many more bytes, to be filled before the next call. */
  extend(length: number): Uint8Array {
    const end = this.length + length;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.bytes.length));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    const room = this.bytes.subarray(this.length, end);
    this.length = end;
    return room;
  }

  all(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }
}
