/** Knows when a caller has hung up. */
import type { Response } from 'express';
import { CallerGone } from '../conversion/caller-gone.ts';

/** Aborts with CallerGone when the connection ends before the answer was sent. */
export function callerGone(response: Response): AbortSignal {
  const { socket } = response.req;
  const gone = new AbortController();
  const onClose = () => {
    socket.off('close', onClose);
    if (!response.writableFinished) gone.abort(new CallerGone());
  };
  response.once('close', onClose);
  // An answer that waits behind another one on its connection (pipelining) is not told itself.
  socket.once('close', onClose);
  if (response.destroyed || socket.destroyed) onClose();
  return gone.signal;
}
