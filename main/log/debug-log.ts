/**
 * The debug log of one job. Events are written as they happen, so that jobs that hang or crash have a log too. Stages are timed
 * even if the log is not recorded.
 */
import type { WriteStream } from 'node:fs';
import type { EndEvent, LogEvent, NewEvent, NoteEvent } from './events.ts';
import { warningsIn } from './findings.ts';
import type { Finding } from './findings/finding.ts';
import { hiddenValues, mapTexts } from './masking.ts';

/** The file of a recorded log. */
interface Recording {
  /** Random and unguessable; part of the link to the log. */
  readonly id: string;
  readonly stream: WriteStream;
}

/** Limits of one log; a page must not fill the disk with messages. */
const maxEvents = 10_000;
const maxBytes = 10_000_000;
/** In characters, except for screenshots. A page decides how long its texts and lists are. */
const maxLineLength = 1_000_000;
/** A page can cause any number of events. */
const maxKept = 300;

/** How long lines are buffered. If the service is killed during this time, the buffered lines are lost. */
const flushDelayMs = 20;

/** Kinds of events that a page can cause in any number. Only they count towards the limits. */
const limitedKinds: ReadonlySet<NewEvent['kind']> = new Set(['console', 'request', 'note']);

export class DebugLog {
  readonly #recording: Recording | undefined;
  readonly #began = performance.now();
  readonly #durations: Record<string, number> = {};
  readonly #hidden = hiddenValues();
  /** What warnings follow from. Kept even if the log is not recorded. */
  readonly #kept: LogEvent[] = [];
  #events = 0;
  #bytes = 0;
  #full = false;
  #stage = 'start';
  #stageReason: string | undefined;
  #onStage: ((stage: string) => void) | undefined;
  #buffer = '';
  #flushTimer: NodeJS.Timeout | undefined;

  constructor(recording?: Recording) {
    this.#recording = recording;
  }

  /** The id of the recording, or undefined if the log is not recorded. */
  get id(): string | undefined {
    return this.#recording?.id;
  }

  /** Whether events are written. If not, callers skip diagnostics that only the log needs. */
  get isRecorded(): boolean {
    return this.#recording !== undefined;
  }

  /** Whether a limit is reached. Console messages, requests and notes are then no longer written. */
  get isFull(): boolean {
    return this.#full;
  }

  /** Milliseconds since the job began. */
  get now(): number {
    return roundToTenths(performance.now() - this.#began);
  }

  /** The name of the current stage, as it appears in failures and in the log. */
  get stage(): string {
    return this.#stage;
  }

  /** Duration of each finished stage in milliseconds; the sum of all attempts if the stage was repeated. */
  get durations(): Readonly<Record<string, number>> {
    return this.#durations;
  }

  /** Masks these values in all later events: in addresses, headers and console messages. */
  hide(secrets: readonly string[]): void {
    const hadTooMany = this.#hidden.hasTooMany();
    this.#hidden.hide(secrets);
    if (!hadTooMany && this.#hidden.hasTooMany()) this.#writeUnmasked(allTextsMasked);
  }

  /** Like `hide`, but for values that a page or server can create in any number: masks only the first few hundred. */
  hideLimited(secrets: readonly string[]): void {
    this.#hidden.hideLimited(secrets);
  }

  /** Returns the text with the hidden values masked. */
  masked(text: string): string {
    return this.#hidden.masked(text);
  }

  /** Calls `onStage` at the beginning of each later stage, also when the job is repeated. */
  onStageChange(onStage: (stage: string) => void): void {
    this.#onStage = onStage;
  }

  /** Runs one stage of the job and writes an event with the stage's duration, even if the stage fails. */
  async timeStage<T>(stage: string, work: () => Promise<T>): Promise<T> {
    this.#begin(stage);
    const began = performance.now();
    try {
      return await work();
    } catch (problem) {
      this.#stageReason ??= 'not finished: it failed or was aborted';
      throw problem;
    } finally {
      const took = roundToTenths(performance.now() - began);
      this.#durations[stage] = roundToTenths((this.#durations[stage] ?? 0) + took);
      const detail = this.#stageReason === undefined ? {} : { ended: this.#stageReason };
      this.write({ kind: 'stage', text: stage, took, detail });
    }
  }

  #begin(stage: string): void {
    this.#stage = stage;
    this.#stageReason = undefined;
    this.#onStage?.(stage);
  }

  /** Sets why the current stage ended. The reason is written with the stage's event. */
  setStageReason(reason: string): void {
    this.#stageReason = reason;
  }

  /**
   * The warnings and errors about the job so far, the most severe first: those that can be had without a recorded log. A recorded log
   * may contain more findings.
   */
  get warnings(): readonly Finding[] {
    return warningsIn(this.#kept);
  }

  note(text: string, detail: NoteEvent['detail'] = {}): void {
    const note: NoteEvent = { kind: 'note', text, detail };
    if (detail.code === undefined) this.write(note);
    else this.writeAndKeep(note);
  }

  /** Writes an event, and keeps it for `warnings` even if the log is not recorded. */
  writeAndKeep(event: NewEvent): void {
    this.keep(event);
    this.write(event);
  }

  /** Keeps an event for `warnings` without writing it. */
  keep(event: NewEvent): void {
    if (this.#kept.length < maxKept) this.#kept.push({ at: this.now, ...this.#masked(event) });
  }

  write(event: NewEvent): void {
    if (this.#recording === undefined) return;
    if (!limitedKinds.has(event.kind)) {
      this.#writeUnmasked(this.#masked(event));
      return;
    }
    if (this.#full) return;
    this.#events += 1;
    // Counts buffered bytes too: the disk may be slow, and lines that are not written yet are in memory.
    this.#full = this.#events > maxEvents || this.#bytes > maxBytes;
    this.#writeUnmasked(this.#full ? limitReached : this.#masked(event));
  }

  /** Skips masking if nothing is hidden, as in most jobs; an event may have a hundred strings. */
  #masked(event: NewEvent): NewEvent {
    return this.#hidden.isEmpty() ? event : maskedEvent(event, this.#hidden.masked);
  }

  /** Writes an event without masking. */
  #writeUnmasked(event: NewEvent): void {
    if (this.#recording === undefined || this.#recording.stream.writableEnded) return;
    const line = this.#line(event);
    const isTooLong = line.length > maxLineLength && event.kind !== 'screenshot';
    this.#append(isTooLong ? this.#line(eventLeftOut(event)) : line, this.#recording);
  }

  /** Buffers the line for a moment, because one write of several lines is cheaper than a write for each. */
  #append(line: string, { stream }: Recording): void {
    this.#buffer += line;
    this.#bytes += Buffer.byteLength(line);
    this.#flushTimer ??= setTimeout(() => {
      stream.write(this.#takeBuffer());
    }, flushDelayMs);
  }

  #takeBuffer(): string {
    clearTimeout(this.#flushTimer);
    const lines = this.#buffer;
    this.#buffer = '';
    this.#flushTimer = undefined;
    return lines;
  }

  /** Writes the last event and closes the file. Later calls do nothing. */
  async end(text: string, detail: EndEvent['detail']): Promise<void> {
    const stream = this.#recording?.stream;
    if (stream === undefined || stream.writableEnded) return;
    await new Promise<void>((resolve) => {
      stream.end(this.#takeBuffer() + this.#line({ kind: 'end', text, detail }), resolve);
    });
  }

  #line(event: NewEvent): string {
    const stamped: LogEvent = { at: this.now, ...event };
    return `${JSON.stringify(stamped)}\n`;
  }
}

const limitReached: NoteEvent = {
  kind: 'note',
  text: `The log reached its limit of ${maxEvents} events or ${maxBytes / 1e6} MB. Later console messages, requests and notes are not logged.`,
  detail: { code: 'log-cut' },
};

function eventLeftOut({ kind }: NewEvent): NoteEvent {
  const text = `An event of the kind '${kind}' was too long to be logged: over ${maxLineLength / 1e6} MB.`;
  return { kind: 'note', text, detail: { code: 'texts-left-out' } };
}

const allTextsMasked: NoteEvent = {
  kind: 'note',
  text: 'This job has more secret values (cookies, headers, passwords) than the log can search for. All later texts are masked.',
  detail: { code: 'texts-left-out' },
};

/** Rounds to a tenth of a millisecond. */
export function roundToTenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

/** Returns the event with its strings masked, except for fields with fixed values, by which programs recognise events. */
export function maskedEvent<E extends NewEvent>(event: E, masked: (text: string) => string): E {
  const fixed = fixedFields[event.kind];
  return mapTexts(event, (text, name) => (name === 'kind' || fixed.has(name) ? text : masked(text)));
}

/** Fields whose values are fixed words of Platen or Chromium. Even if a password equals such a word, it is not disclosed. */
const fixedFields: Readonly<Record<NewEvent['kind'], ReadonlySet<string>>> = {
  job: new Set(['text', 'account', 'received', 'platen', 'electron', 'chromium']),
  options: new Set(['text', 'input', 'name', 'from']),
  stage: new Set(['text']),
  note: new Set(['code', 'options']),
  request: new Set(['type', 'from', 'blocked', 'failed']),
  'missing-file': new Set(),
  console: new Set(['level']),
  layout: new Set(['text', 'media']),
  fonts: new Set(),
  images: new Set(['problem']),
  breaks: new Set(),
  encoding: new Set(['encoding', 'declared']),
  'header-footer': new Set(['side']),
  sizes: new Set(),
  screenshot: new Set(['type', 'data']),
  failure: new Set(['stage']),
  end: new Set(['text', 'outcome']),
};
