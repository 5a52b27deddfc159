/** Lets the user choose a file: with a native dialog in the tray window, or else with the browser's dialog. */
import type { Bridge } from '../../bridge/bridge.ts';
import type { FileSource } from '../call.ts';

/** Returns the chosen file; undefined if the user cancels. `accept` is the attribute of an input element. */
export async function pickFile(bridge: Bridge, accept: string): Promise<FileSource | undefined> {
  if (bridge.native !== undefined) {
    const picked = await bridge.native.choose('file');
    return picked && { kind: 'disk', picked };
  }
  const file = await browserFile(accept);
  return file && { kind: 'upload', file };
}

function browserFile(accept: string): Promise<File | undefined> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', accept, hidden: true });
    const done = () => {
      resolve(input.files?.[0]);
      input.remove();
    };
    input.addEventListener('change', done);
    input.addEventListener('cancel', done);
    document.body.append(input);
    input.click();
  });
}
