/**
 * Admits jobs only while the machine has free memory. While memory is short, it closes idle windows and admits one
 * job at a time, so a small machine serves slowly instead of not at all. Plain Node.
 */
import { Failure } from '../../failure/failure.ts';
import { unlessAborted } from '../../async/signals.ts';

export interface MemoryGateOptions {
  /** Bytes that must be free before a job begins. */
  readonly reserveBytes: number;
  /**
   * Returns the free bytes, measured at most `maxAgeMs` ago (by default, the function chooses), or undefined if they cannot be
   * measured.
   */
  readonly freeBytes: (maxAgeMs?: number) => number | undefined;
  /** Closes idle windows. Each holds about 100 MB. Never rejects. */
  readonly makeRoom: () => Promise<void>;
}

interface MemoryWait {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** Called if memory is short when the job arrives. */
  readonly onMemoryShortage?: () => void;
}

/** Milliseconds between two measurements. Other programs release memory without notice. */
const measureIntervalMs = 250;

export class MemoryGate {
  readonly #options: MemoryGateOptions;
  readonly #waiting: (() => void)[] = [];
  #admitted = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: MemoryGateOptions) {
    this.#options = options;
  }

  isShort(maxAgeMs?: number): boolean {
    return (this.#options.freeBytes(maxAgeMs) ?? Infinity) < this.#options.reserveBytes;
  }

  /**
   * Resolves when the job may begin, in order of arrival. Call `leave` once when the job has ended.
   * @throws Failure unavailable when the wait is too long; the signal's reason
   */
  async enter(wait: MemoryWait): Promise<void> {
    const wasShort = this.isShort();
    if (wasShort) wait.onMemoryShortage?.();
    let admit = () => {};
    const admitted = new Promise<void>((resolve) => (admit = resolve));
    this.#waiting.push(admit);
    if (this.#waiting.length === 1 && wasShort) void this.#makeRoom();
    else this.#admitWhile(() => !wasShort);
    try {
      await waitForAdmission(admitted, wait);
    } catch (problem) {
      const index = this.#waiting.indexOf(admit);
      // A job that is no longer queued was admitted at the same moment.
      if (index < 0) this.leave();
      else this.#waiting.splice(index, 1);
      throw problem;
    }
  }

  leave(): void {
    this.#admitted -= 1;
    this.#admitWhile(() => !this.isShort());
  }

  async #makeRoom(): Promise<void> {
    await this.#options.makeRoom();
    // Earlier measurements do not include the memory just freed.
    const isStillShort = this.isShort(0);
    this.#admitWhile(() => !isStillShort);
  }

  #admitWhile(hasMemory: () => boolean): void {
    clearTimeout(this.#timer);
    while (this.#waiting.length > 0 && (this.#admitted === 0 || hasMemory())) {
      this.#admitted += 1;
      this.#waiting.shift()?.();
    }
    if (this.#waiting.length === 0) return;
    this.#timer = setTimeout(() => {
      this.#admitWhile(() => !this.isShort());
    }, measureIntervalMs);
  }
}

async function waitForAdmission(admitted: Promise<void>, { signal, timeoutMs }: MemoryWait): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const sentence = 'The machine is short of memory. Try again in a moment.';
      reject(new Failure('unavailable', sentence, { retryAfter: 5 }));
    }, timeoutMs);
  });
  try {
    await unlessAborted(signal, Promise.race([admitted, timedOut]));
  } finally {
    clearTimeout(timer);
  }
}
