/** The bridge of the tray window: `window.platen`, which the preload script exposes. */
import type {
  NativeAnswer,
  PickedItem,
  NativeCallName,
  NativeInputOf,
  NativeResults,
  NativeRunForm as NativeRunForm,
  WindowBridge,
} from '../../main/app/native-bridge/contract.ts';
import type { ConsoleRefusal, RunEvent } from '../../main/console/contract.ts';
import { Refused, type Bridge, type NativeFunctions, type RunForm } from './bridge.ts';

/** Undefined in a browser. */
export function windowBridge(): WindowBridge | undefined {
  return (globalThis as { platen?: WindowBridge }).platen;
}

export function openTrayBridge(tray: WindowBridge): Bridge {
  return {
    environment: 'tray',
    languages: tray.languages,
    call: async (name, input) => resultOf(tray.call(name, input)),
    run: (form, on, signal) => runInWindow(tray, form, { on, signal }),
    async output(id) {
      const { bytes, type } = await resultOf(tray.output(id));
      return new Blob([bytes as Uint8Array<ArrayBuffer>], { type });
    },
    native: nativeFunctions(tray),
  };
}

async function resultOf<T>(asked: Promise<NativeAnswer<T>>): Promise<T> {
  const answer = await asked.catch((): NativeAnswer<T> => ({ kind: 'refused', refusal: noResponse }));
  if (answer.kind === 'refused') throw new Refused(answer.refusal);
  return answer.result;
}

const noResponse: ConsoleRefusal = { status: 0, reason: 0, message: 'The service is not responding.' };

interface RunHandlers {
  readonly on: (event: RunEvent) => void;
  readonly signal: AbortSignal;
}

async function runInWindow(tray: WindowBridge, form: RunForm, { on, signal }: RunHandlers): Promise<void> {
  const sent = await formOf(form);
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const cancel = tray.run(sent, (event) => {
      on(event);
      if (event.kind === 'converted' || event.kind === 'failed') resolve();
    });
    signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
}

async function formOf({ fields, files, picked }: RunForm): Promise<NativeRunForm> {
  const sent = files.map(async ({ name, file }) => ({
    name,
    filename: file.name,
    bytes: await file.arrayBuffer(),
  }));
  return {
    fields,
    files: await Promise.all(sent),
    ...(picked && { picked: { field: picked.name, id: picked.id } }),
  };
}

function nativeFunctions(tray: WindowBridge): NativeFunctions {
  const ask = async <N extends NativeCallName>(name: N, input: NativeInputOf<N>): Promise<NativeResults[N]> =>
    resultOf(tray.native(name, input));
  const found = (chosen: PickedItem | null) => chosen ?? undefined;
  return {
    choose: async (kind) => found(await (kind === 'file' ? ask('chooseFile', {}) : ask('chooseFolder', {}))),
    dropped: async (file) => found(await resultOf(tray.dropped(file))),
    watch: (id, onChange) => watch(tray, id, onChange),
    read: async (id) => (await ask('read', { id })).text,
    saveOutput: async (output, name) => (await ask('saveOutput', { output, name })).saved,
    openLink: async (url) => {
      await ask('openLink', { url });
    },
    showLogs: async () => {
      await ask('showLogs', {});
    },
    loginItem: () => ask('loginItem', {}),
    startAtLogin: (on) => ask('setLoginItem', { on }),
    preferences: async () => ask('preferences', {}),
    prefer: async (preferences) => {
      await ask('prefer', { preferences });
    },
    onShow(show) {
      tray.listen((event) => {
        if (event.kind === 'show') show(event.view);
      });
    },
  };
}

function watch(tray: WindowBridge, id: string, onChange: () => void): () => void {
  const unheard = tray.listen((event) => {
    if (event.kind === 'changed' && event.id === id) onChange();
  });
  void tray.native('watch', { id });
  return () => {
    unheard();
    void tray.native('unwatch', { id });
  };
}
