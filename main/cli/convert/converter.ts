/** The interface for converting items, with the local Electron or a remote service. */
import { basename } from 'node:path';
import type { ItemForm } from './form.ts';
import type { ConversionItem } from './plan.ts';
import type { BatchRequest } from '../../launch/messages.ts';
import type { ItemInput } from './inputs.ts';

export interface ItemTask {
  readonly item: ConversionItem;
  /** Fields and files that are sent with every item. */
  readonly form: ItemForm;
  /** Absolute path of an empty file for the output. */
  readonly path: string;
}

export type ItemOutcome =
  | {
      readonly kind: 'converted';
      /** Size of the output. */
      readonly bytes: number;
      readonly pages?: number;
      /** Milliseconds by stage, if known. */
      readonly stages?: Readonly<Record<string, number>>;
    }
  | FailedItemResult;

export interface FailedItemResult {
  readonly kind: 'failed';
  readonly status: number;
  readonly reason: number;
  readonly message: string;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter?: number;
}

export interface ItemConverter extends AsyncDisposable {
  /** @throws the signal's reason; Error with one sentence if nothing can be converted */
  readonly convert: (task: ItemTask, signal: AbortSignal) => Promise<ItemOutcome>;
  /** Discards copies of local files, which may have changed. */
  readonly invalidateFiles: () => void;
}

export function requestFor({ item, form, path }: ItemTask): Omit<BatchRequest, 'kind' | 'number'> {
  const { input, siblingFolder, debugLog } = item;
  const log = debugLog === undefined ? {} : { debugLog };
  if (input.kind === 'url')
    return {
      output: path,
      ...log,
      files: form.files,
      fields: [...form.fields, { name: 'url', value: input.url.href }],
    };
  const file = {
    name: 'file',
    path: input.path,
    filename: uploadName(input),
    ...(siblingFolder && { siblingFolder }),
  };
  return { output: path, ...log, fields: form.fields, files: [...form.files, file] };
}

/** Returns the file name for messages, and to distinguish XHTML from HTML. */
export function uploadName(input: Extract<ItemInput, { kind: 'file' | 'stdin' }>): string {
  return input.kind === 'file' ? basename(input.path) : input.name;
}
