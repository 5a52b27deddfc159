/**
 * The HTTP side of the house: every route on one screen. It knows paths, headers and bodies, and nothing about conversion.
 */
import type { RequestListener, Server } from 'node:http';
import express, { type Express, type RequestHandler } from 'express';
import { authenticate } from './authenticate.ts';
import { consoleRoutes, refuseConsoleInJson } from './console-routes.ts';
import { convertRoute } from './convert-route.ts';
import { refuseOtherOrigins, refuseReboundReaders, shareWithOrigins } from './cross-origin.ts';
import { debugLogRoute } from './debug-log-route.ts';
import { docsPage, docsPolicy } from './docs-page.ts';
import { answerFailure, methodNotAllowed, notFound } from './fail.ts';
import { metricsRoute } from './metrics-route.ts';
import { jobRoute, jobsRoute } from './jobs-route.ts';
import { openServer } from './open-server.ts';
import { openApiDocument, successHeaders } from './openapi.ts';
import { securityHeaders, setPagePolicy } from './page-headers.ts';
import { inOriginForm } from './request-target.ts';
import { selfTestRoute } from './self-test-route.ts';
import { setServiceHeaders } from './respond.ts';
import type { ServiceParts } from './service-parts.ts';
import { checkSoundness } from './sound-request.ts';

/** Without a version too, as the oldest programs post. */
const convertPaths = ['', '/24.04', '/20.10', '/18.10', '/latest'].map((version) => `/convert${version}`);

export function createHttpServer(parts: ServiceParts): Server {
  const app: Express = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');

  app.use(securityHeaders(), commonHeaders(parts), soundOnly);
  app.use(shareWithOrigins({ ...parts, headers: successHeaders.map(([name]) => name) }));
  only(app, '/health', { get: health });
  only(app, '/ready', { get: ready(parts) });
  only(app, '/debug-log/:id', { get: debugLogRoute(parts) });
  app.use('/console', refuseConsoleInJson);
  app.use(refuseOtherOrigins(parts.settings), authenticate(parts.accounts));
  app.use(['/jobs', '/console/output'], refuseReboundReaders(parts.settings));
  for (const path of convertPaths) only(app, path, { post: convertRoute(parts) });
  for (const [path, methods] of consoleRoutes(parts)) only(app, path, methods);
  only(app, '/metrics', { get: metricsRoute(parts) });
  only(app, '/jobs', { get: jobsRoute(parts) });
  only(app, '/jobs/:id', { get: jobRoute(parts) });
  only(app, '/self-test', { get: selfTestRoute(parts) });
  only(app, '/openapi.json', {
    get: (_request, response) => void response.json(openApiDocument(parts.prefixes)),
  });
  only(app, '/docs', { get: docs });
  app.use(notFound);
  app.use(answerFailure(parts));

  const application: RequestListener = (request, response) => {
    void app(inOriginForm(request), response);
  };
  return openServer(application, parts);
}

type Methods = Partial<Record<'get' | 'post', RequestHandler>>;

/** A path, its methods, and 405 with Allow for the others. */
function only(app: Express, path: string, methods: Methods): void {
  const route = app.route(path);
  if (methods.get) route.get(methods.get);
  if (methods.post) route.post(methods.post);
  route.all(methodNotAllowed(Object.keys(methods).map((method) => method.toUpperCase())));
}

/** Every answer carries a reason code; a failure sets its own. */
function commonHeaders({ prefixes, stopping }: ServiceParts): RequestHandler {
  return (_request, response, next) => {
    setServiceHeaders(response, prefixes, { 'reason-code': 0 });
    if (stopping()) response.set('connection', 'close');
    next();
  };
}

/** By the target as it came. */
const soundOnly: RequestHandler = (request, _response, next) => {
  checkSoundness(request, request.originalUrl);
  next();
};

const docs: RequestHandler = (_request, response) => {
  setPagePolicy(response, docsPolicy);
  response.type('html').send(docsPage());
};

const health: RequestHandler = (_request, response) => {
  response.json({ status: 'alive' });
};

function ready({ unreadiness }: ServiceParts): RequestHandler {
  return async (_request, response) => {
    const reason = await unreadiness();
    response.status(reason === undefined ? 200 : 503);
    response.json(reason === undefined ? { status: 'ready' } : { status: 'not ready', reason });
  };
}
