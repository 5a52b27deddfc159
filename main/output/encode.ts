/**
 * Owns the process a picture is encoded in: plain Node, because sharp and Electron each bring a GLib on Linux and the
 * process that holds both may crash (electron#46323); and because the service answers others meanwhile.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EncodingOrder } from './encode/order.ts';

const program = join(import.meta.dirname, 'picture-encoder.cjs');

/**
 * The file with the picture, in the order's folder.
 * @throws Error with what the encoder said, or when the signal aborts.
 */
export async function encodePicture(order: EncodingOrder, signal: AbortSignal): Promise<string> {
  const out = join(order.folder, `picture.${order.format}`);
  const { file, environment } = nodeProgram();
  await promisify(execFile)(file, [program, JSON.stringify({ ...order, out })], {
    signal,
    killSignal: 'SIGKILL',
    windowsHide: true,
    env: { ...process.env, ...environment, NODE_OPTIONS: '' },
  });
  return out;
}

/** The launcher says which Node it runs on; without one Electron can be it, with a slower build of sharp. */
function nodeProgram(): { readonly file: string; readonly environment: NodeJS.ProcessEnv } {
  const file = process.env.PLATEN_NODE;
  if (file !== undefined) return { file, environment: {} };
  return { file: process.execPath, environment: { ELECTRON_RUN_AS_NODE: '1' } };
}
