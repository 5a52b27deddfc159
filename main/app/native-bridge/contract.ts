/**
 * Defines the calls of the native bridge, which only the console window of the desktop has, and the type of `window.platen`.
 * `renderer/` imports its types from here.
 */
import { z } from 'zod';
import type { CallName, InputOf, ConsoleRefusal, Results, RunEvent } from '../../console/contract.ts';
import type { OutputWithBytes } from '../../console/outputs.ts';

/** The id of a picked or dropped item. The page never sees paths. */
const pickedId = z.uuid();

/** Each call and its input. */
export const nativeCalls = {
  chooseFile: z.strictObject({}),
  chooseFolder: z.strictObject({}),
  /** Sends `changed` whenever the item is saved. */
  watch: z.strictObject({ id: pickedId }),
  unwatch: z.strictObject({ id: pickedId }),
  /** Reads a picked file as UTF-8 text. */
  read: z.strictObject({ id: pickedId }),
  /** Shows a save dialog for the output of a run. */
  saveOutput: z.strictObject({ output: z.string().min(1).max(200), name: z.string().min(1).max(200) }),
  copyText: z.strictObject({ text: z.string().max(10_000_000) }),
  /** Opens an address of this service in the default browser. */
  openLink: z.strictObject({ url: z.url().max(2000) }),
  showLogs: z.strictObject({}),
  loginItem: z.strictObject({}),
  setLoginItem: z.strictObject({ on: z.boolean() }),
  /** Preferences of the console; the window's own storage is in memory only. */
  preferences: z.strictObject({}),
  prefer: z.strictObject({ preferences: z.record(z.string().max(50), z.string().max(200)) }),
} as const satisfies Record<string, z.ZodType>;

export type NativeCallName = keyof typeof nativeCalls;
export type NativeInputOf<N extends NativeCallName> = z.output<(typeof nativeCalls)[N]>;

export interface NativeResults {
  /** Null when the user cancels. */
  readonly chooseFile: PickedItem | null;
  readonly chooseFolder: PickedItem | null;
  readonly watch: null;
  readonly unwatch: null;
  readonly read: { readonly text: string };
  /** `saved` is false when the user cancels. */
  readonly saveOutput: { readonly saved: boolean };
  readonly copyText: null;
  readonly openLink: null;
  readonly showLogs: null;
  readonly loginItem: LoginItem;
  readonly setLoginItem: LoginItem;
  readonly preferences: Readonly<Record<string, string>>;
  readonly prefer: null;
}

export interface PickedItem {
  readonly id: string;
  /** The last component of the path. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
}

export interface LoginItem {
  readonly on: boolean;
  /** Whether it can be changed on this machine. */
  readonly possible: boolean;
}

/** An event from the main process. */
export type NativeEvent =
  /** The item, or something in the folder, was saved. */
  { readonly kind: 'changed'; readonly id: string } | { readonly kind: 'show'; readonly view: WindowTarget };

/** `home` keeps the current view of the console. */
export type WindowTarget = 'home' | 'self-test' | 'about';

/** The form of a run. */
export interface NativeRunForm {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly {
    readonly name: string;
    readonly filename: string;
    readonly bytes: ArrayBuffer;
  }[];
  /** A picked item as the file of this field. It is read, or packed if it is a folder, when the run begins. */
  readonly picked?: { readonly field: string; readonly id: string };
}

/** Electron's context bridge and IPC pass only the message of an error, so a refusal is a normal result. */
export type NativeAnswer<T> =
  | { readonly kind: 'answered'; readonly result: T }
  | { readonly kind: 'refused'; readonly refusal: ConsoleRefusal };

/** `window.platen`. Its promises reject only when the service has ended. */
export interface WindowBridge {
  /** The user's languages as BCP 47 tags, preferred first. */
  readonly languages: readonly string[];
  readonly call: <N extends CallName>(name: N, input: InputOf<N>) => Promise<NativeAnswer<Results[N]>>;
  /** Returns a function that cancels the run; no events follow. */
  readonly run: (form: NativeRunForm, on: (event: RunEvent) => void) => () => void;
  readonly output: (id: string) => Promise<NativeAnswer<OutputWithBytes>>;
  readonly native: <N extends NativeCallName>(
    name: N,
    input: NativeInputOf<N>,
  ) => Promise<NativeAnswer<NativeResults[N]>>;
  /** Registers a dropped file or folder. Null if it is not on disk. */
  readonly dropped: (file: File) => Promise<NativeAnswer<PickedItem | null>>;
  /** Returns a function that removes the listener. Events before the first listener are queued for it. */
  readonly listen: (on: (event: NativeEvent) => void) => () => void;
}

// Constants shared by the preload script and the main process.

/** IPC channels between the window and the main process. */
export const channels = {
  call: 'console:call',
  run: 'console:run',
  output: 'console:output',
  native: 'native:call',
  dropped: 'native:dropped',
  event: 'native:event',
} as const;

/** The origin of the window's files. */
export const consoleOrigin = 'platen-console://app';

/** Prefix of the process argument that passes the languages to the preload script. */
export const languagesArgument = '--platen-languages=';
