/** The interface for converting items, with the local Electron or a remote service. */
import { basename } from 'node:path';
import type { Form } from './form.ts';
import type { Item } from './plan.ts';
import type { BatchOrder } from '../../launch/messages.ts';
import type { Input } from './inputs.ts';

export interface Task {
  readonly item: Item;
  /** Fields and files that are sent with every item. */
  readonly form: Form;
  /** Absolute path of an empty file for the output. */
  readonly path: string;
}

export type Outcome =
  | {
      readonly kind: 'converted';
      /** Size of the output. */
      readonly bytes: number;
      readonly pages?: number;
      /** Milliseconds by stage, if known. */
      readonly stages?: Readonly<Record<string, number>>;
    }
  | Failed;

export interface Failed {
  readonly kind: 'failed';
  readonly status: number;
  readonly reason: number;
  readonly message: string;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter?: number;
}

export interface Converter extends AsyncDisposable {
  /** @throws the signal's reason; Error with one sentence if nothing can be converted */
  readonly convert: (task: Task, signal: AbortSignal) => Promise<Outcome>;
  /** Local files may have changed; discards copies of them. */
  readonly invalidateFiles: () => void;
}

export function orderOf({ item, form, path }: Task): Omit<BatchOrder, 'kind' | 'number'> {
  const { input, assetRoot, debugLog } = item;
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
    filename: nameOf(input),
    ...(assetRoot && { beside: assetRoot }),
  };
  return { output: path, ...log, fields: form.fields, files: [...form.files, file] };
}

/** Returns the file name for messages, and to distinguish XHTML from HTML. */
export function nameOf(input: Extract<Input, { kind: 'file' | 'stdin' }>): string {
  return input.kind === 'file' ? basename(input.path) : input.name;
}
