/**
 * Admits jobs only while the machine has free memory. While memory is short, closes idle windows and admits one job at a time, so
 * that a small machine converts slowly instead of not at all. Does not use Electron.
 */
import { Failure } from '../../failure/failure.ts';
import { unlessAborted } from '../../async/signals.ts';

export interface MemoryGateOptions {
  /** Memory that must be free before a job begins, in bytes. */
  readonly reserveBytes: number;
  /**
   * Returns the free memory in bytes; undefined if it cannot be measured. The measurement is at most `maxAgeMs` old; by default,
   * the function chooses.
   */
  readonly freeBytes: (maxAgeMs?: number) => number | undefined;
  /** Closes idle windows, each of which uses about 100 MB. Never rejects. */
  readonly closeIdleWindows: () => Promise<void>;
}

interface MemoryWait {
  readonly signal: AbortSignal;
  /** Maximum wait in milliseconds. */
  readonly timeoutMs: number;
  /** Called if memory is short when the job arrives. */
  readonly onMemoryShortage?: () => void;
}

/** Time between two measurements while jobs wait, because other programs release memory without notice. */
const measureIntervalMs = 250;

export class MemoryGate {
  readonly #options: MemoryGateOptions;
  readonly #waiting: (() => void)[] = [];
  #admitted = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: MemoryGateOptions) {
    this.#options = options;
  }

  /** Returns whether less memory is free than the reserve. */
  isShort(maxAgeMs?: number): boolean {
    return (this.#options.freeBytes(maxAgeMs) ?? Infinity) < this.#options.reserveBytes;
  }

  /**
   * Resolves when the job may begin, in order of arrival. Call `leave` once when the job has ended.
   * @throws Failure unavailable if the wait is too long; the signal's reason
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
      // A job that no longer waits was admitted at the same moment.
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
    await this.#options.closeIdleWindows();
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
      const message = 'The machine is short of memory. Try again in a moment.';
      reject(new Failure('unavailable', message, { retryAfter: 5 }));
    }, timeoutMs);
  });
  try {
    await unlessAborted(signal, Promise.race([admitted, timedOut]));
  } finally {
    clearTimeout(timer);
  }
}
