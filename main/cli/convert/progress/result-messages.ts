/** Formats the results of documents and the summary of a run. The functions have no side effects. */
import type { ItemResult } from '../run-items.ts';

/** The summary of a run. */
export interface RunSummary {
  readonly converted: number;
  readonly skipped: number;
  readonly failed: readonly FailedItem[];
  /** Number of items that were not started or not completed. */
  readonly left: number;
  /** Duration in milliseconds. */
  readonly took: number;
}

export type FailedItem = Extract<ItemResult, { kind: 'failed' }>;

export function resultText(result: ItemResult, verbose: boolean): string {
  const name = replaceControls(result.item.input.name);
  const output = replaceControls(result.item.output ?? 'standard output');
  if (result.kind === 'skipped') return `${name}: skipped, ${output} is newer`;
  if (result.kind === 'failed') return failureText(result);
  const pages = result.pages === undefined ? [] : [pluralize(result.pages, 'page')];
  const facts = [...pages, sizeText(result.bytes), secondsText(result.took)].join(', ');
  const stages = Object.entries(result.stages ?? {}).map(([stage, took]) => `\n    ${stage} ${took} ms`);
  const { noteCodes = [] } = result;
  const notes = noteCodes.length === 0 ? '' : `; notes: ${noteCodes.join(', ')}`;
  return `${name} -> ${output} (${facts})${notes}${verbose ? stages.join('') : ''}`;
}

export function failureText({ item, message, status, reason }: FailedItem): string {
  const code = status === undefined ? '' : `${status}.${reason ?? 0} - `;
  return `${replaceControls(item.input.name)}: ${code}${replaceControls(message)}`;
}

export function summaryText({ converted, skipped, failed, left, took }: RunSummary): string {
  const counts = [
    `${converted} converted`,
    ...(skipped > 0
      ? [`${skipped} skipped because their outputs are newer (convert them with --force)`]
      : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(left > 0 ? [`${left} not converted; run the same command to continue`] : []),
  ];
  const failures = failed.map((item) => `  ${failureText(item)}\n`).join('');
  return `${counts.join(', ')}. It took ${secondsText(took)}.\n${failures === '' ? '' : `Failed:\n${failures}`}`;
}

/** Replaces control characters, which a terminal would interpret, with `?`. */
export function replaceControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '?');
}

function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return pluralize(bytes, 'byte');
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Returns a duration as `820 ms`, `12.3 s` or `4:05 min`. */
export function secondsText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${Number((milliseconds / 1000).toFixed(1))} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;
}
