/** What converts one item: the Electron of this machine, or a service elsewhere. */
import type { Form } from './form.ts';
import type { Item } from './plan.ts';

export interface Task {
  readonly item: Item;
  /** What is sent with every item. */
  readonly form: Form;
  /** An empty file, absolute, that becomes the output. */
  readonly path: string;
}

export type Outcome =
  | {
      readonly kind: 'converted';
      /** Of the output. */
      readonly bytes: number;
      readonly pages?: number;
      /** Milliseconds, where they are known. */
      readonly stages?: Readonly<Record<string, number>>;
    }
  | Failed;

export interface Failed {
  readonly kind: 'failed';
  readonly status: number;
  readonly reason: number;
  readonly message: string;
  /** Seconds after which another try may do. */
  readonly retryAfter?: number;
}

export interface Converter extends AsyncDisposable {
  /** @throws the signal's reason; Error with one sentence when nothing at all can be converted */
  readonly convert: (task: Task, signal: AbortSignal) => Promise<Outcome>;
  /** Files of this machine may be others than they were. */
  readonly changed: () => void;
}
