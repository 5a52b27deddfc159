/**
 * THE TABLE of what only the tray's window may ask, because it needs the machine, and the shape of its bridge,
 * `window.platen`. `renderer/` takes its types from here.
 */
import { z } from 'zod';
import type { CallName, InputOf, Refusal, Results, RunEvent } from '../console/contract.ts';
import type { OutputFile } from '../console/read-output.ts';

/** Of what a person chose or dropped; a path is never named. */
const chosenId = z.uuid();

/** Each call, and what it takes. */
export const deskCalls = {
  chooseFile: z.strictObject({}),
  chooseFolder: z.strictObject({}),
  /** From now on `changed` is told whenever it was saved. */
  watch: z.strictObject({ id: chosenId }),
  unwatch: z.strictObject({ id: chosenId }),
  /** A chosen file as text in UTF-8. */
  read: z.strictObject({ id: chosenId }),
  /** Asks where to put what a run has made. */
  saveOutput: z.strictObject({ output: z.string().min(1).max(200), name: z.string().min(1).max(200) }),
  copyText: z.strictObject({ text: z.string().max(10_000_000) }),
  /** In the person's browser; only addresses of this service. */
  openLink: z.strictObject({ url: z.url().max(2000) }),
  showLogs: z.strictObject({}),
  loginItem: z.strictObject({}),
  setLoginItem: z.strictObject({ on: z.boolean() }),
  /** Small things the interface remembers; the window's own store is in memory. */
  preferences: z.strictObject({}),
  prefer: z.strictObject({ preferences: z.record(z.string().max(50), z.string().max(200)) }),
} as const satisfies Record<string, z.ZodType>;

export type DeskCallName = keyof typeof deskCalls;
export type DeskInputOf<N extends DeskCallName> = z.output<(typeof deskCalls)[N]>;

export interface DeskResults {
  /** Null: the person has changed his mind. */
  readonly chooseFile: Chosen | null;
  readonly chooseFolder: Chosen | null;
  readonly watch: null;
  readonly unwatch: null;
  readonly read: { readonly text: string };
  /** `saved` is false when the person has changed his mind. */
  readonly saveOutput: { readonly saved: boolean };
  readonly copyText: null;
  readonly openLink: null;
  readonly showLogs: null;
  readonly loginItem: LoginItem;
  readonly setLoginItem: LoginItem;
  readonly preferences: Readonly<Record<string, string>>;
  readonly prefer: null;
}

export interface Chosen {
  readonly id: string;
  /** The last component of its path. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
}

export interface LoginItem {
  readonly on: boolean;
  /** Whether it can be changed here. */
  readonly possible: boolean;
}

/** What main tells by itself. */
export type DeskEvent =
  /** It was saved, or something in it. */
  { readonly kind: 'changed'; readonly id: string } | { readonly kind: 'show'; readonly view: View };

/** `home`: wherever the person was. */
export type View = 'home' | 'self-test' | 'about';

/** The form of a run. */
export interface RunForm {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly {
    readonly name: string;
    readonly filename: string;
    readonly bytes: ArrayBuffer;
  }[];
  /** Something the person has chosen, as the file of this field: read, or a folder packed, when the run begins. */
  readonly chosen?: { readonly field: string; readonly id: string };
}

/** Errors do not come through the bridge as they are, so a refusal is an answer. */
export type Answer<T> =
  { readonly kind: 'answered'; readonly result: T } | { readonly kind: 'refused'; readonly refusal: Refusal };

/** `window.platen`. Its promises reject only when the service is gone. */
export interface WindowBridge {
  /** The person's languages, as BCP 47 tags, the best first. */
  readonly languages: readonly string[];
  readonly call: <N extends CallName>(name: N, input: InputOf<N>) => Promise<Answer<Results[N]>>;
  /** Returns what cancels it; nothing is told after that. */
  readonly run: (form: RunForm, on: (event: RunEvent) => void) => () => void;
  readonly output: (id: string) => Promise<Answer<OutputFile>>;
  readonly desk: <N extends DeskCallName>(name: N, input: DeskInputOf<N>) => Promise<Answer<DeskResults[N]>>;
  /** What a dropped file or folder of the disk becomes; null for one that is on no disk. */
  readonly dropped: (file: File) => Promise<Answer<Chosen | null>>;
  /** Returns what ends the listening. Events from before the first listener are kept for it. */
  readonly listen: (on: (event: DeskEvent) => void) => () => void;
}
