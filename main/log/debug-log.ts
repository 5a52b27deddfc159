/**
 * The debug log of one job: what happened, when, written as it happens, so that a job that hangs has one too.
 * It knows files and events; it does not know what they mean. Timing of stages works whether it is recorded or not.
 */
import type { WriteStream } from 'node:fs';

/** One line of the log. */
export interface LogEvent {
  /** Milliseconds since the job began. */
  readonly at: number;
  readonly kind: 'job' | 'stage' | 'note' | 'request' | 'console' | 'failure' | 'end';
  readonly text: string;
  /** Milliseconds, where the event has a duration. */
  readonly took?: number;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
}

export type NewEvent = Omit<LogEvent, 'at'>;

/** Where a recorded log goes. */
export interface Recording {
  /** Unguessable; the link to the log is made of it. */
  readonly id: string;
  readonly stream: WriteStream;
}

/** A page must not fill the disk with messages. */
const mostEvents = 10_000;
const mostBytes = 10_000_000;

export class DebugLog {
  readonly #recording: Recording | undefined;
  readonly #began = performance.now();
  readonly #durations: Record<string, number> = {};
  #events = 0;
  #full = false;
  #stage = 'start';

  constructor(recording?: Recording) {
    this.#recording = recording;
  }

  /** The id of the recording, or undefined when nobody asked for one. */
  get id(): string | undefined {
    return this.#recording?.id;
  }

  get recorded(): boolean {
    return this.#recording !== undefined;
  }

  /** The stage under way, in words a caller understands. */
  get stage(): string {
    return this.#stage;
  }

  /** Milliseconds of each finished stage. */
  get durations(): Readonly<Record<string, number>> {
    return this.#durations;
  }

  /** Runs one stage of the job and writes how long it took, also when it fails. */
  async time<T>(stage: string, work: () => Promise<T>): Promise<T> {
    this.#stage = stage;
    const began = performance.now();
    try {
      return await work();
    } finally {
      const took = rounded(performance.now() - began);
      this.#durations[stage] = took;
      this.write({ kind: 'stage', text: stage, took });
    }
  }

  note(text: string): void {
    this.write({ kind: 'note', text });
  }

  write(event: NewEvent): void {
    if (this.#recording === undefined || this.#full) return;
    this.#events += 1;
    this.#full = this.#events > mostEvents || this.#recording.stream.bytesWritten > mostBytes;
    const last: NewEvent = {
      kind: 'note',
      text: `More than ${mostEvents} events or ${mostBytes / 1e6} MB; the rest is left out.`,
    };
    const line: LogEvent = { at: rounded(performance.now() - this.#began), ...(this.#full ? last : event) };
    this.#recording.stream.write(`${JSON.stringify(line)}\n`);
  }

  /** Writes the last line, which must not be left out, and closes the file. */
  async end(text: string): Promise<void> {
    const stream = this.#recording?.stream;
    if (stream === undefined) return;
    const line: LogEvent = { at: rounded(performance.now() - this.#began), kind: 'end', text };
    await new Promise<void>((resolve) => {
      stream.end(`${JSON.stringify(line)}\n`, resolve);
    });
  }
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
