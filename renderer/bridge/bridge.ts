/** The way to the service: one interface, over HTTP in a browser and over IPC in the tray's window. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PickedItem, LoginItem, View } from '../../main/app/native-bridge/contract.ts';
import type { CallName, InputOf, Results, RunEvent } from '../../main/console/contract.ts';

export type { PickedItem as Chosen, LoginItem } from '../../main/app/native-bridge/contract.ts';

export interface Bridge {
  readonly place: 'browser' | 'tray';
  /** What the person reads, as BCP 47 tags, the best first. */
  readonly languages: readonly string[];
  /** @throws Refused when the service refuses, or does not answer (status 0) */
  readonly call: <N extends CallName>(name: N, input: InputOf<N>) => Promise<Results[N]>;
  /** Resolves when the run is over or cancelled. @throws Refused as `call` does, before the first event */
  readonly run: (form: RunForm, on: (event: RunEvent) => void, signal: AbortSignal) => Promise<void>;
  /** What a run made. @throws Refused when it is kept no longer */
  readonly output: (id: string) => Promise<Blob>;
  /** What only the window of the tray can do. */
  readonly desk?: Desk;
}

/** A conversion as it is sent: options by their wire names. */
export interface RunForm {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly { readonly name: string; readonly file: File }[];
  /** Something on the disk of this machine, read when the run begins; `name` is the field's. */
  readonly chosen?: { readonly name: string; readonly id: string };
}

export interface Desk {
  readonly choose: (kind: 'file' | 'folder') => Promise<PickedItem | undefined>;
  /** A file or folder that was dropped on the window. */
  readonly dropped: (file: File) => Promise<PickedItem | undefined>;
  /** Calls `onChange` after it, or something in it, was saved; returns how to stop. */
  readonly watch: (id: string, onChange: () => void) => () => void;
  /** The text of a chosen file. */
  readonly read: (id: string) => Promise<string>;
  /** Asks where to; false when the person thinks better of it. */
  readonly saveOutput: (output: string, name: string) => Promise<boolean>;
  /** Only pages of the service itself. */
  readonly openLink: (url: string) => Promise<void>;
  readonly showLogs: () => Promise<void>;
  readonly loginItem: () => Promise<LoginItem>;
  readonly startAtLogin: (on: boolean) => Promise<LoginItem>;
  /** Small settings of the interface, kept by the service because the window's own store is not. */
  readonly preferences: () => Promise<Readonly<Record<string, string>>>;
  readonly prefer: (preferences: Readonly<Record<string, string>>) => Promise<void>;
  /** The tray's menu asks for a view. */
  readonly onShow: (show: (view: View) => void) => void;
}

export class Refused extends Error {
  /** HTTP's; 0 when the service does not answer. */
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
  if (bridge === undefined) throw new Error('there is no bridge above this part');
  return bridge;
}
