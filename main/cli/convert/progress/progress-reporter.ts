/**
 * Reports the progress of a run: a progress bar on a terminal, otherwise a line for each document; JSON for programs; and a
 * summary.
 */
import type { ConversionItem } from '../plan.ts';
import type { ItemResult } from '../run-items.ts';
import {
  failureText,
  resultText,
  summaryText,
  replaceControls,
  secondsText,
  type RunSummary,
} from './result-messages.ts';

export interface ProgressReporter {
  readonly begin: (total: number) => void;
  readonly itemStarted: (item: ConversionItem) => void;
  readonly itemEnded: (result: ItemResult) => void;
  /** Writes a line to standard error without damaging the progress bar. */
  readonly log: (line: string) => void;
  readonly finish: (summary: RunSummary) => void;
}

export interface ProgressOptions {
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly json: boolean;
  /** Whether standard error is a terminal. */
  readonly isTerminal: boolean;
}

export function openProgressReporter(options: ProgressOptions): ProgressReporter {
  const { quiet, verbose, json, isTerminal } = options;
  let total = 0;
  let bar: ProgressBar | undefined;
  const write = (line: string) => {
    bar?.clear();
    process.stderr.write(`${line}\n`);
    bar?.draw();
  };
  return {
    begin(count) {
      total = count;
      if (isTerminal && !quiet && count > 1) bar = openBar(count);
    },
    itemStarted: (item) => bar?.itemStarted(item.input.name),
    itemEnded(result) {
      bar?.itemEnded(result.kind);
      if (json) process.stdout.write(`${JSON.stringify(resultJson(result))}\n`);
      if (result.kind === 'failed') write(`platen: ${failureText(result)}`);
      else if (!quiet && !json && (verbose || bar === undefined)) write(resultText(result, verbose));
      else bar?.draw();
    },
    log: write,
    finish(summary) {
      bar?.clear();
      bar = undefined;
      if (json) process.stdout.write(`${JSON.stringify({ kind: 'summary', ...summaryCounts(summary) })}\n`);
      else if (!quiet && total > 1) process.stderr.write(summaryText(summary));
    },
  };
}

function resultJson({ item, ...facts }: ItemResult): object {
  return { input: item.input.name, output: item.output ?? '-', ...facts };
}

function summaryCounts({ failed, ...counts }: RunSummary): object {
  return { ...counts, failed: failed.length };
}

// The progress bar: the last line on a terminal, with progress, speed, remaining time and the current document.

interface ProgressBar {
  readonly itemStarted: (name: string) => void;
  readonly itemEnded: (kind: 'converted' | 'skipped' | 'failed') => void;
  readonly draw: () => void;
  readonly clear: () => void;
}

/** Minimum time between redraws. Output to remote terminals is slow. */
const redrawIntervalMs = 100;
const barWidth = 24;

function openBar(total: number): ProgressBar {
  const progress = { total, done: 0, converted: 0, name: '', startMs: performance.now() };
  let lastDrawn = -Infinity;
  const draw = () => {
    const now = performance.now();
    if (now - lastDrawn < redrawIntervalMs && progress.done < total) return;
    lastDrawn = now;
    const line = barLine({ ...progress, elapsed: now - progress.startMs }, process.stderr.columns || 80);
    process.stderr.write(`\r\u001b[K${line}`);
  };
  return {
    itemStarted(name) {
      progress.name = name;
      draw();
    },
    itemEnded(kind) {
      progress.done += 1;
      if (kind !== 'skipped') progress.converted += 1;
    },
    draw,
    clear() {
      process.stderr.write('\r\u001b[K');
      lastDrawn = -Infinity;
    },
  };
}

interface BarState {
  readonly total: number;
  readonly done: number;
  /** Number of items that are done and were not skipped. */
  readonly converted: number;
  readonly name: string;
  /** Elapsed time in milliseconds. */
  readonly elapsed: number;
}

/** Returns the progress bar. It is cut to the terminal's width, because a wrapped line could not be cleared. */
export function barLine({ total, done, converted, name, elapsed }: BarState, columns: number): string {
  const filled = Math.floor((done / total) * barWidth);
  const bar = `[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}]`;
  const rate = converted === 0 ? undefined : converted / (elapsed / 1000);
  const speed =
    rate === undefined || done === total
      ? ''
      : `  ${rate.toFixed(1)}/s, ${secondsText(Math.ceil((total - done) / rate) * 1000)} to go`;
  const line = `${bar} ${done}/${total}${speed}  ${replaceControls(name)}`;
  return Array.from(line)
    .slice(0, columns - 1)
    .join('');
}
