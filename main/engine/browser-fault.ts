/** What the browser itself failed at, as the cause of a Failure: told from what is refused, and from a page's own excess. Plain Node. */
import { Failure } from '../failure/failure.ts';

/** `message` says what, for the service's log; `cause` is what Chromium or Electron said. */
export class BrowserFault extends Error {}

/** The fault behind a job's problem; undefined where the browser did what it should. */
export function browserFaultOf(problem: unknown): BrowserFault | undefined {
  return problem instanceof Failure && problem.cause instanceof BrowserFault ? problem.cause : undefined;
}

/** What a caller is told whose page Chromium did not print or capture: nearly always the page is too much for it. */
export function notProduced(sentence: string, cause: unknown): Failure {
  const fault = new BrowserFault('a print or a capture failed', { cause });
  return new Failure('tooComplex', sentence, { cause: fault });
}
