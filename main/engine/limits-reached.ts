/** What is said when a page has used up what it may load: once, however often it asks for more. */
import type { Limit } from '../network/proxy.ts';
import type { Run } from '../run.ts';
import type { Seat } from './seat.ts';

/** Limits of the operator's that the job's page has reached. */
export function limitsReached({ guard, requests }: Pick<Seat, 'guard' | 'requests'>): readonly Limit[] {
  return [...new Set([...(requests.exceeded() ? (['page-requests'] as const) : []), ...guard.exceeded()])];
}

/** Said in the job's log and in the service's. */
export function tellLimits(seat: Seat, { log }: Run): void {
  const limits = limitsReached(seat);
  for (const limit of limits)
    log.note(`${sentences[limit]} What that would have brought is not in the result.`, {
      code: 'blocked-resource',
    });
  if (limits.length > 0) seat.journal.log.warn({ limits }, 'a page asked for more than it may load');
}

/** The answer to a caller where it is the page itself, or what an option names, that did not arrive for it. */
export function tooMuch(what: string): string {
  return `${what} could not be loaded to its end: it is larger than a page may be here, or had used up before what it may load.`;
}

const sentences: Readonly<Record<Limit, string>> = {
  'page-requests':
    "The page made more requests than the operator's page-requests allows; further ones were refused.",
  'page-size': "The page loaded more than the operator's page-size allows; the rest was cut off.",
};
