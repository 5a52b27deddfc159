/**
 * Whether the machine has memory for one more job. While it has not, idle windows are closed, jobs wait, and one at a time is
 * let through all the same: a service that serves slowly is better than one that never does. Plain Node.
 */
import { Failure } from '../failure/failure.ts';
import { unlessAborted } from '../signals.ts';

export interface AdmissionOptions {
  /** Bytes. */
  readonly reserve: number;
  /** Bytes, undefined where nobody knows; as they were `longest` milliseconds ago or later, a moment when none are given. */
  readonly free: (longest?: number) => number | undefined;
  /** Closes idle windows, each of which holds a tenth of a gigabyte. Never rejects. */
  readonly makeRoom: () => Promise<void>;
}

export interface Wait {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly longest: number;
  /** Called when memory is short as the job comes. */
  readonly onShort?: () => void;
}

export interface Admission {
  /**
   * Resolves when the job may begin, first come first served; `leave` is to be called once after it.
   * @throws Failure unavailable when the wait is too long; the signal's reason
   */
  readonly enter: (wait: Wait) => Promise<void>;
  readonly leave: () => void;
  readonly isShort: () => boolean;
}

/** Milliseconds. Memory comes back by the doing of others too, who do not tell. */
const lookEvery = 250;

export function openAdmission(options: AdmissionOptions): Admission {
  const waiting: (() => void)[] = [];
  let admitted = 0;
  let looking: NodeJS.Timeout | undefined;
  const isShort = (longest?: number) => (options.free(longest) ?? Infinity) < options.reserve;
  const look = (short = () => isShort()) => {
    clearTimeout(looking);
    while (waiting.length > 0 && (admitted === 0 || !short())) {
      admitted += 1;
      waiting.shift()?.();
    }
    if (waiting.length > 0)
      looking = setTimeout(() => {
        look();
      }, lookEvery);
  };
  const leave = () => {
    admitted -= 1;
    look();
  };
  return {
    isShort: () => isShort(),
    leave,
    async enter(wait) {
      const short = isShort();
      if (short) wait.onShort?.();
      const turn = queue(waiting);
      if (waiting.length === 1 && short)
        void options.makeRoom().then(() => {
          // What was known before says nothing about the room that was made.
          const still = isShort(0);
          look(() => still);
        });
      else look(() => short);
      await inTime(turn.came, wait).catch((problem: unknown) => {
        // Who is not in the queue any more was let through in the same moment.
        if (!turn.leave()) leave();
        throw problem;
      });
    },
  };
}

function queue(waiting: (() => void)[]) {
  let admit = () => {};
  const came = new Promise<void>((resolve) => (admit = resolve));
  waiting.push(admit);
  const leave = () => {
    const place = waiting.indexOf(admit);
    if (place >= 0) waiting.splice(place, 1);
    return place >= 0;
  };
  return { came, leave };
}

async function inTime(came: Promise<void>, { signal, longest }: Wait): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new Failure('unavailable', 'The machine is short of memory. Try again in a moment.', {
          retryAfter: 5,
        }),
      );
    }, longest);
  });
  try {
    await unlessAborted(signal, Promise.race([came, late]));
  } finally {
    clearTimeout(timer);
  }
}
