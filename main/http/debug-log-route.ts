/**
 * GET /debug-log/<id>: the debug log as a page for a browser, as JSON for a program; with .html, .json or .har at its end as
 * just that. The link is the secret.
 */
import type { RequestHandler, Response } from 'express';
import { Failure } from '../failure/failure.ts';
import type { LogEvent } from '../log/events.ts';
import { findingsOf } from '../log/findings.ts';
import { harOf } from '../log/har.ts';
import { summaryOf } from '../log/job-summary.ts';
import { debugLogPage } from '../log/page/debug-log-page.ts';
import { policyInHeader } from '../log/page/style.ts';
import { debugLogLink } from './base-url.ts';
import { setPagePolicy } from './page-headers.ts';
import type { ServiceParts } from './service-parts.ts';

type Form = 'html' | 'json' | 'har';

/** @throws Failure notFound when the log is unknown or expired. */
export function debugLogRoute({
  debugLogs,
  closingLogs,
  settings,
}: Pick<ServiceParts, 'closingLogs' | 'debugLogs' | 'settings'>): RequestHandler {
  return async (request, response) => {
    const { id, asked } = readName(String(request.params.id));
    await closingLogs.closed(id);
    const events = await debugLogs.read(id);
    if (events === undefined)
      throw new Failure('notFound', 'There is no debug log at this address, or it has expired.');
    const form = asked ?? (request.accepts(['html', 'json']) === 'json' ? 'json' : 'html');
    setPagePolicy(response, policyInHeader);
    response.vary('accept').set('x-robots-tag', 'noindex');
    if (asked !== undefined && asked !== 'html')
      response.set('content-disposition', attachment(events, asked));
    answers[form](response, events, debugLogLink(request, settings, id));
  };
}

/** `<id>`, or `<id>.har` and the like. */
function readName(name: string): { id: string; asked: Form | undefined } {
  const [, id, asked] = /^([^.]*)\.(html|json|har)$/.exec(name) ?? [];
  return { id: id ?? name, asked: asked as Form | undefined };
}

/** Job ids need no encoding (RFC 6266, 4.1); nothing else is let through. */
function attachment(events: readonly LogEvent[], form: Form): string {
  return `attachment; filename="platen-${summaryOf(events).id.replace(/[^\w-]/g, '')}.${form}"`;
}

const answers: Readonly<
  Record<Form, (response: Response, events: readonly LogEvent[], link: string) => void>
> = {
  // Whole addresses, so that they lead somewhere from a page that was saved, too.
  html: (response, events, link) =>
    response.type('html').send(debugLogPage(events, { json: `${link}.json`, har: `${link}.har` })),
  json: (response, events) => response.json(debugLogJson(events)),
  har: (response, events) => response.json(harOf(events)),
};

function debugLogJson(events: readonly LogEvent[]): object {
  const { id, about, outcome, failure } = summaryOf(events);
  return {
    job: { id, ...about },
    outcome,
    ...(failure && { failure: { message: failure.text, ...failure.detail } }),
    findings: findingsOf(events),
    events,
  };
}
