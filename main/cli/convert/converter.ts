/** The interface for converting items with a local Electron process or a remote service. An item is one input with its output. */
import { basename } from 'node:path';
import type { ItemForm } from './form.ts';
import type { ConversionItem } from './plan.ts';
import type { BatchRequest } from '../../launch/messages.ts';
import type { ItemInput } from './inputs.ts';

export interface ItemTask {
  readonly item: ConversionItem;
  /** The fields and files that are sent with every item. */
  readonly form: ItemForm;
  /** Absolute path of an empty file that receives the output. */
  readonly path: string;
}

export type ItemOutcome =
  | {
      readonly kind: 'converted';
      /** Size of the output in bytes. */
      readonly bytes: number;
      readonly pages?: number;
      /** Durations in milliseconds by stage, if known. */
      readonly stages?: Readonly<Record<string, number>>;
      /** The codes of the warnings about the document, each once; absent if an older service does not list them. */
      readonly noteCodes?: readonly string[];
    }
  | FailedItemResult;

export interface FailedItemResult {
  readonly kind: 'failed';
  readonly status: number;
  readonly reason: number;
  readonly message: string;
  /** Seconds after which a retry may succeed; absent if a retry is pointless. */
  readonly retryAfter?: number;
}

export interface ItemConverter extends AsyncDisposable {
  /** Converts an item. @throws the signal's reason; Error with a one-sentence message if no item can be converted */
  readonly convert: (task: ItemTask, signal: AbortSignal) => Promise<ItemOutcome>;
  /** Discards archives of local files, because the files may have changed. */
  readonly invalidateFiles: () => void;
}

export function requestFor({ item, form, path }: ItemTask): Omit<BatchRequest, 'kind' | 'id'> {
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

/** Returns the file name, which messages show and whose extension distinguishes XHTML from HTML. */
export function uploadName(input: Extract<ItemInput, { kind: 'file' | 'stdin' }>): string {
  return input.kind === 'file' ? basename(input.path) : input.name;
}
