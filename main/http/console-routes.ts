/** The console over HTTP: its pages and files, its calls and runs, what runs have made (docs/console.md). */
import type { RequestHandler } from 'express';
import type { Console } from '../console/open-console.ts';
import { Failure } from '../failure/failure.ts';
import { callRoute } from './console-call.ts';
import { consoleAsset, consolePage } from './console-files.ts';
import { runRoute } from './console-run.ts';
import { dispositionOf } from './content-disposition.ts';
import { accountOf, refuseInJson } from './locals.ts';
import { liftPagePolicy } from './page-headers.ts';
import { sendFile } from './send-file.ts';
import type { ServiceParts } from './service-parts.ts';

type Methods = Partial<Record<'get' | 'post', RequestHandler>>;

export function consoleRoutes(parts: ServiceParts): readonly (readonly [path: string, methods: Methods])[] {
  return [
    ['/', { get: consolePage(parts.consoleFiles) }],
    ['/console/assets/*path', { get: consoleAsset(parts.consoleFiles) }],
    ['/console/call/:name', { post: callRoute(parts) }],
    ['/console/run', { post: runRoute(parts) }],
    ['/console/output/:id', { get: output(parts.console) }],
  ];
}

/** What is refused below /console is refused in JSON, whatever the reason: programs ask there, not people. */
export const refuseConsoleInJson: RequestHandler = (_request, response, next) => {
  refuseInJson(response);
  next();
};

/** Of its own account alone. */
function output({ outputs }: Pick<Console, 'outputs'>): RequestHandler {
  const missing =
    'What this run has made is no longer there: it is kept for an hour, the newest 40 of an account. Run it again.';
  return async (request, response) => {
    const found = outputs.find(String(request.params.id), accountOf(response).id);
    if (found === undefined) throw new Failure('notFound', missing);
    const saved = request.query.download !== undefined;
    const disposition = dispositionOf(found.name, saved ? 'attachment' : 'inline');
    liftPagePolicy(response);
    await sendFile(response, found.path, { missing, type: found.type, disposition });
  };
}
