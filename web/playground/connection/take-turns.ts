// Lets other work of a thread have its turn. Timers would do, but browsers make those that follow each other wait for milliseconds.

/** Resolves after whatever waits now: messages, drawing. */
export function takeTurns(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
