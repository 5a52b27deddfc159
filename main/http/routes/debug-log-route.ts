/**
 * GET /debug-log/<id>: the debug log of a job, as HTML for browsers and JSON for programs. The suffix .html, .json or .har selects
 * a format; .recipe.json is the recipe of the document. Needs no credentials: the link is the secret.
 */
import type { RequestHandler, Response } from 'express';
import { Failure } from '../../failure/failure.ts';
import type { LogEvent } from '../../log/events.ts';
import { findingsOf } from '../../log/findings.ts';
import { harOf } from '../../log/har.ts';
import { recipeOf } from '../../log/recipe.ts';
import { summaryOf } from '../../log/job-summary.ts';
import { debugLogPage, logPagePolicy } from '../../log/log-page.ts';
import { debugLogLink } from '../security/base-url.ts';
import { setPagePolicy } from '../response/respond.ts';
import type { ServiceDependencies } from './service-dependencies.ts';

type LogFormat = 'html' | 'json' | 'har' | 'recipe.json';

/** Returns the handler. @throws Failure notFound if the log is unknown or expired */
export function debugLogRoute({
  debugLogs,
  closingLogs,
  settings,
}: Pick<ServiceDependencies, 'closingLogs' | 'debugLogs' | 'settings'>): RequestHandler {
  return async (request, response) => {
    const { id, format: requested } = readName(String(request.params.id));
    await closingLogs.closed(id);
    const events = await debugLogs.read(id);
    if (events === undefined)
      throw new Failure('notFound', 'There is no debug log at this address, or it has expired.');
    const format = requested ?? (request.accepts(['html', 'json']) === 'json' ? 'json' : 'html');
    setPagePolicy(response, logPagePolicy());
    response.vary('accept').set('x-robots-tag', 'noindex');
    if (requested !== undefined && requested !== 'html')
      response.set('content-disposition', attachment(events, requested));
    senders[format](response, events, debugLogLink(request, settings, id));
  };
}

/** Splits the last component of the path, `<id>` or for example `<id>.har`, into id and format. */
function readName(name: string): { id: string; format: LogFormat | undefined } {
  const [, id, format] = /^([^.]*)\.(html|json|har|recipe\.json)$/.exec(name) ?? [];
  return { id: id ?? name, format: format as LogFormat | undefined };
}

/** Returns the Content-Disposition. Job ids need no encoding (RFC 6266, 4.1); all other characters are removed. */
function attachment(events: readonly LogEvent[], format: LogFormat): string {
  return `attachment; filename="platen-${summaryOf(events).id.replace(/[^\w-]/g, '')}.${format}"`;
}

const senders: Readonly<
  Record<LogFormat, (response: Response, events: readonly LogEvent[], link: string) => void>
> = {
  // The links are absolute, so that they also work in a saved page.
  html: (response, events, link) =>
    response
      .type('html')
      .send(
        debugLogPage(events, { json: `${link}.json`, har: `${link}.har`, recipe: `${link}.recipe.json` }),
      ),
  json: (response, events) => response.json(debugLogJson(events)),
  har: (response, events) => response.json(harOf(events)),
  'recipe.json': (response, events) => {
    const recipe = recipeOf(events);
    if (recipe === undefined)
      throw new Failure('notFound', 'This job delivered no document, so there is no recipe.');
    // Indented, because people keep recipes and read them.
    response.type('json').send(`${JSON.stringify(recipe, undefined, 2)}\n`);
  },
};

function debugLogJson(events: readonly LogEvent[]): object {
  const { id, jobDetail, outcome, failure } = summaryOf(events);
  return {
    job: { id, ...jobDetail },
    outcome,
    ...(failure && { failure: { message: failure.text, ...failure.detail } }),
    findings: findingsOf(events),
    events,
  };
}
