/**
 * The debug log of one job: what happened, when, written as it happens, so that a job that hangs or crashes has one too.
 * It knows files and events; it does not know what they mean. Timing of stages works whether it is recorded or not.
 */
import type { WriteStream } from 'node:fs';
import type { EndEvent, LogEvent, NewEvent, NoteEvent } from './events.ts';
import { hiddenValues } from './hidden-values.ts';
import { maskedEvent } from './masked-event.ts';

/** Where a recorded log goes. */
export interface Recording {
  /** Unguessable; the link to the log is made of it. */
  readonly id: string;
  readonly stream: WriteStream;
}

/** A page must not fill the disk with messages. */
const mostEvents = 10_000;
const mostBytes = 10_000_000;

/** Milliseconds; so much of a log is lost when the service is killed. */
const moment = 20;

/** What a page can make as many of as it likes; all else is ours, and little. */
const floods: ReadonlySet<NewEvent['kind']> = new Set(['console', 'request', 'note']);

export class DebugLog {
  readonly #recording: Recording | undefined;
  readonly #began = performance.now();
  readonly #durations: Record<string, number> = {};
  readonly #hidden = hiddenValues();
  #events = 0;
  #bytes = 0;
  #full = false;
  #stage = 'start';
  #ended: string | undefined;
  #onStage: ((stage: string) => void) | undefined;
  #waiting = '';
  #writing: NodeJS.Timeout | undefined;

  constructor(recording?: Recording) {
    this.#recording = recording;
  }

  /** The id of the recording, or undefined when nobody asked for one. */
  get id(): string | undefined {
    return this.#recording?.id;
  }

  /** Whether it is worth gathering what only the log needs. */
  get recorded(): boolean {
    return this.#recording !== undefined;
  }

  /** What the page says and loads is left out from now on. */
  get full(): boolean {
    return this.#full;
  }

  /** Milliseconds since the job began. */
  get now(): number {
    return rounded(performance.now() - this.#began);
  }

  /** The stage under way, in words a caller understands. */
  get stage(): string {
    return this.#stage;
  }

  /** Milliseconds of each finished stage; of one that was begun anew, all together. */
  get durations(): Readonly<Record<string, number>> {
    return this.#durations;
  }

  /** These values are masked wherever they turn up from now on: in addresses, headers, what a page says. */
  hide(secrets: readonly string[]): void {
    const before = this.#hidden.tooMany();
    this.#hidden.hide(secrets);
    if (!before && this.#hidden.tooMany()) this.#tell(veiled);
  }

  /** The same for what others than the caller have chosen, of which there may be any number: the first few hundred. */
  hideSome(secrets: readonly string[]): void {
    this.#hidden.hideSome(secrets);
  }

  /** The text as it may be kept: without the values that are hidden. */
  masked(text: string): string {
    return this.#hidden.masked(text);
  }

  /** Is called with each stage as it begins from now on, also of a job that is begun anew. */
  watch(onStage: (stage: string) => void): void {
    this.#onStage = onStage;
  }

  /** Runs one stage of the job and writes how long it took, also when it fails. */
  async time<T>(stage: string, work: () => Promise<T>): Promise<T> {
    this.#begin(stage);
    const began = performance.now();
    try {
      return await work();
    } catch (problem) {
      this.#ended ??= 'it was not finished: it failed, or was cut off';
      throw problem;
    } finally {
      const took = rounded(performance.now() - began);
      this.#durations[stage] = rounded((this.#durations[stage] ?? 0) + took);
      const detail = this.#ended === undefined ? {} : { ended: this.#ended };
      this.write({ kind: 'stage', text: stage, took, detail });
    }
  }

  #begin(stage: string): void {
    this.#stage = stage;
    this.#ended = undefined;
    this.#onStage?.(stage);
  }

  /** Why the stage under way did not take longer, or no less: said in its line. */
  because(reason: string): void {
    this.#ended = reason;
  }

  note(text: string, detail: NoteEvent['detail'] = {}): void {
    this.write({ kind: 'note', text, detail });
  }

  write(event: NewEvent): void {
    if (this.#recording === undefined) return;
    if (!floods.has(event.kind)) {
      this.#tell(this.#clean(event));
      return;
    }
    if (this.#full) return;
    this.#events += 1;
    // Counted when it is handed over: the disk may be slow, and what waits for it is in memory.
    this.#full = this.#events > mostEvents || this.#bytes > mostBytes;
    this.#tell(this.#full ? cut : this.#clean(event));
  }

  /** Most jobs have nothing to hide, and an event may have a hundred texts. */
  #clean(event: NewEvent): NewEvent {
    return this.#hidden.none() ? event : maskedEvent(event, this.#hidden.masked);
  }

  /** Writes what may be read as it is. */
  #tell(event: NewEvent): void {
    if (this.#recording === undefined || this.#recording.stream.writableEnded) return;
    this.#put(this.#line(event), this.#recording);
  }

  /** Each write costs as much as what it writes, so lines of one moment go together. */
  #put(line: string, { stream }: Recording): void {
    this.#waiting += line;
    this.#bytes += Buffer.byteLength(line);
    this.#writing ??= setTimeout(() => {
      stream.write(this.#taken());
    }, moment);
  }

  #taken(): string {
    clearTimeout(this.#writing);
    const lines = this.#waiting;
    this.#waiting = '';
    this.#writing = undefined;
    return lines;
  }

  /** Writes the last line and closes the file; there is only one. */
  async end(text: string, detail: EndEvent['detail']): Promise<void> {
    const stream = this.#recording?.stream;
    if (stream === undefined || stream.writableEnded) return;
    await new Promise<void>((resolve) => {
      stream.end(this.#taken() + this.#line({ kind: 'end', text, detail }), resolve);
    });
  }

  #line(event: NewEvent): string {
    const stamped: LogEvent = { at: this.now, ...event };
    return `${JSON.stringify(stamped)}\n`;
  }
}

const cut: NoteEvent = {
  kind: 'note',
  text: `More than ${mostEvents} events or ${mostBytes / 1e6} MB; what the page says and loads is left out from here.`,
  detail: { code: 'log-cut' },
};

const veiled: NoteEvent = {
  kind: 'note',
  text: 'More secret values (cookies, headers, passwords) came with this job than can be looked for; so all that it and its page say is masked.',
  detail: { code: 'texts-left-out' },
};

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
