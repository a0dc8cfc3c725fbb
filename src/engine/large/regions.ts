// The memory of one evaluation: regions of the heap that are given back together, and a place for the instruction that is being run.
// Must not know what they hold.
import { INSTRUCTION } from '../wasm/encoding.js';
import { heap } from '../wasm/heap.js';

export class Regions {
  /** Where an instruction whose operands move is written. */
  readonly instruction: number;
  private readonly addresses = new Set<number>();

  constructor() {
    this.instruction = this.allocate(INSTRUCTION.bytes);
  }

  /** The address of so many bytes, all 0. */
  allocate(bytes: number): number {
    const address = heap.allocate(bytes);
    this.addresses.add(address);
    heap.u8.fill(0, address, address + bytes);
    return address;
  }

  release(address: number): void {
    this.addresses.delete(address);
    heap.release(address);
  }

  /** Gives everything back. */
  dispose(): void {
    for (const address of this.addresses) heap.release(address);
    this.addresses.clear();
  }
}
