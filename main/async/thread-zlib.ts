/** Node's zlib functions that are safe in a thread of a pool: the thread does not end during the call (thread-guard.ts). */
import * as zlib from 'node:zlib';
import { guarded } from './thread-guard.ts';

export function deflateSync(bytes: Uint8Array, options?: zlib.ZlibOptions): Buffer {
  return guarded(() => zlib.deflateSync(bytes, options));
}

export function inflateSync(bytes: Uint8Array, options?: zlib.ZlibOptions): Buffer {
  return guarded(() => zlib.inflateSync(bytes, options));
}

export function gunzipSync(bytes: Uint8Array, options?: zlib.ZlibOptions): Buffer {
  return guarded(() => zlib.gunzipSync(bytes, options));
}
