/** The sandboxed preload script of the console window. It exposes only `window.platen`. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import {
  channels,
  languagesArgument,
  type NativeEvent,
  type NativeRunForm,
  type WindowBridge,
} from '../native-bridge/contract.ts';
import type { RunEvent } from '../../console/contract.ts';

/** Events that arrive while the page has no listener. */
const queuedEvents: NativeEvent[] = [];
const listeners = new Set<(event: NativeEvent) => void>();

ipcRenderer.on(channels.event, (_event, event: NativeEvent) => {
  if (listeners.size === 0) queuedEvents.push(event);
  for (const listener of listeners) listener(event);
});

const bridge: WindowBridge = {
  languages: languages(),
  call: (name, input) => ipcRenderer.invoke(channels.call, name, input),
  run,
  output: (id) => ipcRenderer.invoke(channels.output, id),
  native: (name, input) => ipcRenderer.invoke(channels.native, name, input),
  dropped: (file) => ipcRenderer.invoke(channels.dropped, webUtils.getPathForFile(file)),
  listen(on) {
    listeners.add(on);
    for (const event of queuedEvents.splice(0)) on(event);
    return () => {
      listeners.delete(on);
    };
  },
};

function run(form: NativeRunForm, on: (event: RunEvent) => void): () => void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => {
    on(data as RunEvent);
  };
  ipcRenderer.postMessage(channels.run, form, [port2]);
  return () => {
    port1.onmessage = null;
    port1.close();
  };
}

function languages(): string[] {
  const argument = process.argv.find((word) => word.startsWith(languagesArgument));
  return argument?.slice(languagesArgument.length).split(',').filter(Boolean) ?? [];
}

contextBridge.exposeInMainWorld('platen', bridge);
