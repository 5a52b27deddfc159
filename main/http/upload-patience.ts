/** How long a request may take to arrive. */
import type { Request } from 'express';
import { Failure } from '../failure/failure.ts';

export interface UploadPatience extends Disposable {
  /** Rejects when it has taken too long. @throws Failure requestTimeout */
  readonly worn: Promise<never>;
}

export interface Patience {
  /** Milliseconds for the request as a whole. */
  readonly whole: number;
  /** Milliseconds in which nothing of it comes though it is read. */
  readonly idle?: number;
}

export function watchUpload(request: Request, { whole, idle = 30_000 }: Patience): UploadPatience {
  let reject: (failure: Failure) => void = () => {};
  const worn = new Promise<never>((_, rejectWorn) => (reject = rejectWorn));
  worn.catch(() => {});
  const give = (sentence: string) => () => {
    reject(new Failure('requestTimeout', sentence));
  };
  const last = setTimeout(give(`The request took longer than ${whole / 1000} seconds to arrive.`), whole);
  const giveUp = give(`Nothing of the request came for ${idle / 1000} seconds.`);
  const silence = setTimeout(() => {
    // It is we who do not read: the caller may have sent long ago.
    if (request.isPaused()) silence.refresh();
    else giveUp();
  }, idle);
  const onData = () => silence.refresh();
  const dispose = () => {
    clearTimeout(last);
    clearTimeout(silence);
    request.off('data', onData).off('resume', onData).off('end', dispose);
  };
  request.on('data', onData).on('resume', onData).once('end', dispose);
  // The listener has set the body flowing before anybody reads it.
  request.pause();
  return { worn, [Symbol.dispose]: dispose };
}
