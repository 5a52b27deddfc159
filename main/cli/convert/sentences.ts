/** Formats results of documents and summaries of runs. Pure functions. */
import type { ItemResult } from './run-items.ts';

/** The result of a run. */
export interface RunSummary {
  readonly converted: number;
  readonly skipped: number;
  readonly failed: readonly FailedItem[];
  /** Items that were not started or not finished. */
  readonly left: number;
  /** Milliseconds. */
  readonly took: number;
}

export type FailedItem = Extract<ItemResult, { kind: 'failed' }>;

export function lineOf(ended: ItemResult, verbose: boolean): string {
  const name = plain(ended.item.input.name);
  const output = plain(ended.item.output ?? 'standard output');
  if (ended.kind === 'skipped') return `${name}: skipped, ${output} is newer`;
  if (ended.kind === 'failed') return failureText(ended);
  const pages = ended.pages === undefined ? [] : [counted(ended.pages, 'page')];
  const facts = [...pages, sizeText(ended.bytes), secondsText(ended.took)].join(', ');
  const stages = Object.entries(ended.stages ?? {}).map(([stage, took]) => `\n    ${stage} ${took} ms`);
  return `${name} -> ${output} (${facts})${verbose ? stages.join('') : ''}`;
}

export function failureText({ item, message, status, reason }: FailedItem): string {
  const code = status === undefined ? '' : `${status}.${reason ?? 0} - `;
  return `${plain(item.input.name)}: ${code}${plain(message)}`;
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
  const failures = failed.map((one) => `  ${failureText(one)}\n`).join('');
  return `${counts.join(', ')}. It took ${secondsText(took)}.\n${failures === '' ? '' : `Failed:\n${failures}`}`;
}

/** Replaces control characters, which a terminal would interpret. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '?');
}

export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** `820 ms`, `12.3 s`, `4:05 min`. */
export function secondsText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${Number((milliseconds / 1000).toFixed(1))} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;
}
