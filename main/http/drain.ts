/** Reads the rest of a request's body and throws it away, within bounds. */
import type { Request } from 'express';

const mostBytes = 1_000_000_000;
const mostTime = 30_000;

/**
 * Resolves when the body is over, or when it is not worth waiting for any longer; the connection is not kept then, and
 * ends where the answer has gone out already.
 */
export async function drain(request: Request): Promise<void> {
  if (request.complete || request.destroyed) return;
  await new Promise<void>((resolve) => {
    let seen = 0;
    const onData = (chunk: Buffer) => {
      seen += chunk.length;
      if (seen > mostBytes) giveUp();
    };
    const done = () => {
      clearTimeout(timer);
      request.off('data', onData).off('end', done).off('close', done).off('error', done);
      resolve();
    };
    const giveUp = () => {
      done();
      if (request.res?.headersSent !== false) {
        request.destroy();
        return;
      }
      request.res.set('connection', 'close');
      request.pause();
    };
    const timer = setTimeout(giveUp, mostTime);
    request.on('data', onData).once('end', done).once('close', done).once('error', done);
    request.resume();
  });
}
