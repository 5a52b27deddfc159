/**
 * Owns the process a picture is encoded in: plain Node, because sharp and Electron each bring a GLib on Linux and the
 * process that holds both may crash (electron#46323); and because the service answers others meanwhile.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { noRoom } from '../failure/failure.ts';
import { tellsOfNoRoom } from '../failure/no-room.ts';
import type { EncodingOrder } from './encode/order.ts';

const program = join(import.meta.dirname, 'picture-encoder.cjs');

/**
 * The file with the picture, in the order's folder.
 * @throws Failure unavailable when there is no room for it; Error with what the encoder said, or when the signal aborts.
 */
export async function encodePicture(order: EncodingOrder, signal: AbortSignal): Promise<string> {
  const out = join(order.folder, `picture.${order.format}`);
  const parameters = [program, JSON.stringify({ ...order, out })];
  try {
    await promisify(execFile)(process.env.PLATEN_NODE ?? process.execPath, parameters, {
      signal,
      killSignal: 'SIGKILL',
      windowsHide: true,
      // The launcher says which Node it runs on; Electron can be it too, with a slower build of sharp. What it says is read below.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '', LC_ALL: 'C' },
    });
  } catch (problem) {
    throw tellsOfNoRoom(wordsOf(problem)) ? noRoom(problem) : problem;
  }
  return out;
}

/** What the encoder said before it ended. */
function wordsOf(problem: unknown): string {
  return problem instanceof Error && 'stderr' in problem ? String(problem.stderr) : '';
}
