/** The bridge of the tray window. It uses `window.platen`, which the preload script exposes. */
import type {
  NativeAnswer,
  PickedItem,
  NativeCallName,
  NativeInputOf,
  NativeResults,
  NativeRunForm,
  WindowBridge,
} from '../../main/app/native-bridge/contract.ts';
import type { ConsoleRefusal, RunEvent } from '../../main/console/contract.ts';
import { ServiceError, type Bridge, type NativeFunctions, type RunForm } from './bridge.ts';

/** Returns `window.platen`; undefined in a browser. */
export function windowBridge(): WindowBridge | undefined {
  return (globalThis as { platen?: WindowBridge }).platen;
}

export function openTrayBridge(tray: WindowBridge): Bridge {
  return {
    environment: 'tray',
    languages: tray.languages,
    call: async (name, input) => resultOf(tray.call(name, input)),
    run: (form, onEvent, signal) => runInWindow(tray, form, { onEvent, signal }),
    async output(id) {
      const { bytes, type } = await resultOf(tray.output(id));
      return new Blob([bytes as Uint8Array<ArrayBuffer>], { type });
    },
    native: nativeFunctions(tray),
  };
}

async function resultOf<T>(call: Promise<NativeAnswer<T>>): Promise<T> {
  const response = await call.catch((): NativeAnswer<T> => ({ kind: 'refused', refusal: noResponse }));
  if (response.kind === 'refused') throw new ServiceError(response.refusal);
  return response.result;
}

const noResponse: ConsoleRefusal = { status: 0, reason: 0, message: 'The service is not responding.' };

interface RunHandlers {
  readonly onEvent: (event: RunEvent) => void;
  readonly signal: AbortSignal;
}

async function runInWindow(
  tray: WindowBridge,
  form: RunForm,
  { onEvent, signal }: RunHandlers,
): Promise<void> {
  const nativeForm = await formOf(form);
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const cancel = tray.run(nativeForm, (event) => {
      onEvent(event);
      if (event.kind === 'converted' || event.kind === 'failed') resolve();
    });
    signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
}

async function formOf({ fields, files, picked }: RunForm): Promise<NativeRunForm> {
  const contents = files.map(async ({ name, file }) => ({
    name,
    filename: file.name,
    bytes: await file.arrayBuffer(),
  }));
  return {
    fields,
    files: await Promise.all(contents),
    ...(picked && { picked: { field: picked.name, id: picked.id } }),
  };
}

function nativeFunctions(tray: WindowBridge): NativeFunctions {
  const call = async <N extends NativeCallName>(
    name: N,
    input: NativeInputOf<N>,
  ): Promise<NativeResults[N]> => resultOf(tray.native(name, input));
  const orUndefined = (chosen: PickedItem | null) => chosen ?? undefined;
  return {
    choose: async (kind) =>
      orUndefined(await (kind === 'file' ? call('chooseFile', {}) : call('chooseFolder', {}))),
    registerDrop: async (file) => orUndefined(await resultOf(tray.dropped(file))),
    watch: (id, onChange) => watch(tray, id, onChange),
    readText: async (id) => (await call('read', { id })).text,
    saveOutput: async (output, name) => (await call('saveOutput', { output, name })).saved,
    openLink: async (url) => {
      await call('openLink', { url });
    },
    showLogs: async () => {
      await call('showLogs', {});
    },
    firstKey: async () => (await call('firstKey', {})) ?? undefined,
    forgetFirstKey: async () => {
      await call('forgetFirstKey', {});
    },
    loginItem: () => call('loginItem', {}),
    setLoginItem: (on) => call('setLoginItem', { on }),
    preferences: async () => call('preferences', {}),
    savePreferences: async (preferences) => {
      await call('prefer', { preferences });
    },
    onViewChosen(show) {
      tray.listen((event) => {
        if (event.kind === 'show') show(event.view);
      });
    },
  };
}

function watch(tray: WindowBridge, id: string, onChange: () => void): () => void {
  const stopListening = tray.listen((event) => {
    if (event.kind === 'changed' && event.id === id) onChange();
  });
  void tray.native('watch', { id });
  return () => {
    stopListening();
    void tray.native('unwatch', { id });
  };
}
