/**
 * Defines the calls of the native bridge and the type of `window.platen`. Only the desktop's console window has the bridge; the
 * console in a browser does not. `renderer/` imports the types from here.
 */
import * as z from 'zod';
import type { CallName, InputOf, ConsoleRefusal, CallResults, RunEvent } from '../../console/contract.ts';
import type { OutputWithBytes } from '../../console/outputs.ts';

/** The id of a picked or dropped item. The page never sees paths. */
const pickedId = z.uuid();

/** Each call and its input. */
export const nativeCalls = {
  chooseFile: z.strictObject({}),
  chooseFolder: z.strictObject({}),
  /** Starts sending the event `changed` whenever the item is saved. */
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
  /** Returns the key of the first account until `forgetFirstKey`. */
  firstKey: z.strictObject({}),
  /** Deletes the key that `firstKey` returns, because the operator has saved it. */
  forgetFirstKey: z.strictObject({}),
  loginItem: z.strictObject({}),
  setLoginItem: z.strictObject({ on: z.boolean() }),
  /** Reads the stored preferences of the console. The page's own storage is lost when the service stops. */
  preferences: z.strictObject({}),
  /** Stores the given preferences and keeps all others. */
  prefer: z.strictObject({ preferences: z.record(z.string().max(50), z.string().max(200)) }),
} as const satisfies Record<string, z.ZodType>;

export type NativeCallName = keyof typeof nativeCalls;
export type NativeInputOf<N extends NativeCallName> = z.output<(typeof nativeCalls)[N]>;

export interface NativeResults {
  /** Null if the user cancels. */
  readonly chooseFile: PickedItem | null;
  /** Null if the user cancels. */
  readonly chooseFolder: PickedItem | null;
  readonly watch: null;
  readonly unwatch: null;
  readonly read: { readonly text: string };
  /** `saved` is false if the user cancels. */
  readonly saveOutput: { readonly saved: boolean };
  readonly copyText: null;
  readonly openLink: null;
  readonly showLogs: null;
  /** Null if there is no key to show. */
  readonly firstKey: { readonly name: string; readonly key: string } | null;
  readonly forgetFirstKey: null;
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
  /** Whether Platen starts at login. */
  readonly on: boolean;
  /** Whether `on` can be changed on this machine. */
  readonly possible: boolean;
  /** Why `on` cannot be changed. `translocated`: macOS runs the download from a temporary path. */
  readonly obstacle?: 'translocated';
}

/** An event from the main process. */
export type NativeEvent =
  /** The watched file, or a file in the watched folder, was saved. */
  { readonly kind: 'changed'; readonly id: string } | { readonly kind: 'show'; readonly view: WindowTarget };

/** The view to show. `home` keeps the current view of the console. */
export type WindowTarget = 'home' | 'self-test' | 'about';

/** The form of a run, as the page sends it. */
export interface NativeRunForm {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly {
    readonly name: string;
    readonly filename: string;
    readonly bytes: ArrayBuffer;
  }[];
  /**
   * The picked item to use as the file of `field`. When the run starts, a file is copied and a folder is packed into an archive.
   */
  readonly picked?: { readonly field: string; readonly id: string };
}

/**
 * The reply to a call. A refusal is a normal result, because Electron's context bridge and IPC pass only the message of an error.
 */
export type NativeAnswer<T> =
  | { readonly kind: 'answered'; readonly result: T }
  | { readonly kind: 'refused'; readonly refusal: ConsoleRefusal };

/** `window.platen`. Its promises reject only when the service has ended. */
export interface WindowBridge {
  /** The user's languages as BCP 47 tags, preferred first. */
  readonly languages: readonly string[];
  readonly call: <N extends CallName>(name: N, input: InputOf<N>) => Promise<NativeAnswer<CallResults[N]>>;
  /** Starts a run and returns a function that cancels it. `on` is not called after a cancellation. */
  readonly run: (form: NativeRunForm, on: (event: RunEvent) => void) => () => void;
  readonly output: (id: string) => Promise<NativeAnswer<OutputWithBytes>>;
  readonly native: <N extends NativeCallName>(
    name: N,
    input: NativeInputOf<N>,
  ) => Promise<NativeAnswer<NativeResults[N]>>;
  /** Registers a dropped file or folder. The result is null if the item is not on disk. */
  readonly dropped: (file: File) => Promise<NativeAnswer<PickedItem | null>>;
  /**
   * Adds a listener and returns a function that removes it. Events that arrive while there is no listener are kept for the next
   * one.
   */
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

/** The origin of the console window's pages. */
export const consoleOrigin = 'platen-console://app';

/** Prefix of the process argument that passes the languages to the preload script. */
export const languagesArgument = '--platen-languages=';
