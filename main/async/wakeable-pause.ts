/** A pause between two rounds of work, which other code can end early. */
export class WakeablePause {
  #isWoken = false;
  #end: () => void = () => {};

  /** Ends the current pause, or the next one as soon as it begins. */
  wake(): void {
    this.#isWoken = true;
    this.#end();
  }

  /** Waits for the given time, until `wake` is called, or until the signal aborts. */
  async wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal?.addEventListener('abort', end);
      this.#end = end;
      if (this.#isWoken || signal?.aborted === true) end();
    });
    this.#isWoken = false;
    this.#end = () => {};
  }
}
