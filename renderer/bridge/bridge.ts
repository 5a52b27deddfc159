/** The connection to the service: one interface for HTTP in a browser and IPC in the tray window. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PickedItem, LoginItem, WindowTarget } from '../../main/app/native-bridge/contract.ts';
import type { CallName, InputOf, CallResults, RunEvent } from '../../main/console/contract.ts';

export type { PickedItem, LoginItem } from '../../main/app/native-bridge/contract.ts';

export interface Bridge {
  readonly environment: 'browser' | 'tray';
  /** Preferred languages as BCP 47 tags, best first. */
  readonly languages: readonly string[];
  /** Makes a console call. @throws Refused if the service refuses the call or does not respond (status 0) */
  readonly call: <N extends CallName>(name: N, input: InputOf<N>) => Promise<CallResults[N]>;
  /**
   * Starts a run and resolves when it has ended. If `signal` aborts, it resolves (tray window) or rejects with the abort reason
   * (browser). @throws ServiceError like `call`
   */
  readonly run: (form: RunForm, onEvent: (event: RunEvent) => void, signal: AbortSignal) => Promise<void>;
  /** Returns the output of a run, or of an asynchronous job by the id of the job. @throws ServiceError like `call`, for example if the output has expired */
  readonly output: (id: string) => Promise<Blob>;
  /** Native functions; tray window only. */
  readonly native?: NativeFunctions;
}

/** A conversion request, with the option names of the HTTP API. */
export interface RunForm {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly { readonly name: string; readonly file: File }[];
  /** A file or folder on this machine, read when the run starts. `name` is the name of the form field. */
  readonly picked?: { readonly name: string; readonly id: string };
}

export interface NativeFunctions {
  /** Shows a dialog to choose a file or folder. Resolves to undefined if the user cancels. */
  readonly choose: (kind: 'file' | 'folder') => Promise<PickedItem | undefined>;
  /** Registers a file or folder that was dropped on the window. Resolves to undefined if it is not on disk. */
  readonly registerDrop: (file: File) => Promise<PickedItem | undefined>;
  /** Calls `onChange` whenever the file, or a file in the folder, is saved. Returns a function that stops watching. */
  readonly watch: (id: string, onChange: () => void) => () => void;
  /** Returns the text of a picked file. */
  readonly readText: (id: string) => Promise<string>;
  /** Shows a save dialog and saves an output; see Bridge.output. Resolves to false if the user cancels. */
  readonly saveOutput: (output: string, name: string) => Promise<boolean>;
  /** Opens a page of the service in the default browser; other URLs are refused. */
  readonly openLink: (url: string) => Promise<void>;
  readonly showLogs: () => Promise<void>;
  /** Returns the key of the first account; undefined if the operator has seen it, or if it was printed in a terminal. */
  readonly firstKey: () => Promise<{ readonly name: string; readonly key: string } | undefined>;
  readonly forgetFirstKey: () => Promise<void>;
  readonly loginItem: () => Promise<LoginItem>;
  readonly setLoginItem: (on: boolean) => Promise<LoginItem>;
  /** Preferences of the console. The service stores them, because the window's own storage is in memory only. */
  readonly preferences: () => Promise<Readonly<Record<string, string>>>;
  readonly savePreferences: (preferences: Readonly<Record<string, string>>) => Promise<void>;
  /** Registers a function that is called when the user chooses a view in the tray menu. */
  readonly onViewChosen: (show: (view: WindowTarget) => void) => void;
}

/** Thrown if the service refuses a call or does not respond. */
export class ServiceError extends Error {
  /** HTTP status; 0 if the service did not respond. */
  readonly status: number;
  readonly reason: number;

  constructor({ status, reason, message }: { status: number; reason: number; message: string }) {
    super(message);
    this.name = 'Refused';
    this.status = status;
    this.reason = reason;
  }
}

export const BridgeContext = createContext<Bridge | undefined>(undefined);

export function useBridge(): Bridge {
  const bridge = useContext(BridgeContext);
  if (bridge === undefined) throw new Error('useBridge needs a BridgeContext.Provider around the component');
  return bridge;
}
