/** Reports, once per job, that a page reached the operator's limits page-requests or page-size. */
import type { Limit } from '../../network/proxy.ts';
import type { Run } from '../../job/job.ts';
import type { BrowserContext } from '../window/browser-context.ts';

/** Returns the operator's limits that the job's page has reached. */
export function limitsReached({
  guard,
  requests,
}: Pick<BrowserContext, 'guard' | 'requests'>): readonly Limit[] {
  return [
    ...new Set([...(requests.isLimitExceeded() ? (['page-requests'] as const) : []), ...guard.exceeded()]),
  ];
}

/** Writes the reached limits to the job's log and to the service log. */
export function logReachedLimits(context: BrowserContext, { log }: Run): void {
  const limits = limitsReached(context);
  for (const limit of limits)
    log.note(`${limitMessages[limit]} Their content is missing in the result.`, {
      code: 'blocked-resource',
    });
  if (limits.length > 0) context.logTarget.log.warn({ limits }, 'a page reached its loading limits');
}

/** Returns the message for a page, or for the file of an option, that the limits cut off. */
export function limitMessage(what: string): string {
  return `${what} was not fully loaded: it reached the operator's limit page-requests or page-size.`;
}

const limitMessages: Readonly<Record<Limit, string>> = {
  'page-requests':
    "The page made more requests than the operator's page-requests allows; further ones were refused.",
  'page-size': "The page loaded more than the operator's page-size allows; the rest was cut off.",
};
