/** `Expect: 100-continue` (RFC 9110, 10.1.1): the caller sends his body when he is asked for it. */
import type { Request, Response } from 'express';

/** Asks for the body, where the caller waits to be asked. */
export function inviteBody(request: Request, response: Response): void {
  if (!waits(request)) return;
  // Asked once.
  delete request.headers.expect;
  response.writeContinue();
}

/** True when he was not asked, so that no body is to be waited for. */
export function isUninvited(request: Request): boolean {
  return waits(request) && !request.complete;
}

function waits({ headers, httpVersion }: Request): boolean {
  return headers.expect?.toLowerCase() === '100-continue' && httpVersion !== '1.0';
}
