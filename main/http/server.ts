/** Assembles the HTTP application: all routes and middleware, in order. */
import type { RequestListener, Server } from 'node:http';
import express, { type Express, type RequestHandler } from 'express';
import { limitPerAccount } from './routes/limit-per-account.ts';
import { jobOutputRoute, removeRoute, submitRoute } from './routes/asynchronous-jobs-route.ts';
import { authenticate } from './security/authenticate.ts';
import { consoleRoutes, consoleErrorsAsJson } from './routes/console-routes.ts';
import { convertRoute } from './routes/convert-route.ts';
import { refuseOtherOrigins, refuseDnsRebinding, allowOrigins } from './security/cross-origin.ts';
import { debugLogRoute } from './routes/debug-log-route.ts';
import { docsPage, docsPolicy } from './routes/docs-page.ts';
import { baseUrlFor, toOriginForm } from './security/base-url.ts';
import { failureHandler, methodNotAllowed, notFound } from './response/fail.ts';
import { jobRoute, jobsRoute } from './routes/jobs-route.ts';
import { openServer } from './server/open-server.ts';
import { openApiDocument } from './openapi.ts';
import { successHeaders } from './openapi/responses.ts';
import { securityHeaders, setPagePolicy, setServiceHeaders, closeAfterResponse } from './response/respond.ts';
import type { ServiceDependencies } from './routes/service-dependencies.ts';
import { validateRequest } from './security/request-validation.ts';
import { contentType } from '../metrics/metrics.ts';
import { accountOf } from './server/locals.ts';
import { Failure } from '../failure/failure.ts';
import { reportText } from '../self-test/report-text.ts';

/** The oldest clients use the path without a version. */
const convertPaths = ['', '/24.04', '/20.10', '/18.10', '/latest'].map((version) => `/convert${version}`);

export function createHttpServer(dependencies: ServiceDependencies): Server {
  const app: Express = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');

  app.use(securityHeaders(), commonHeaders(dependencies), checkRequest);
  app.use(allowOrigins({ ...dependencies, headers: successHeaders.map(([name]) => name) }));
  addRoute(app, '/health', { get: health });
  addRoute(app, '/ready', { get: ready(dependencies) });
  addRoute(app, '/debug-log/:id', { get: debugLogRoute(dependencies) });
  app.use('/console', consoleErrorsAsJson);
  app.use(refuseOtherOrigins(dependencies.settings), authenticate(dependencies.accounts));
  app.use(admitConnection(dependencies));
  app.use(['/jobs', '/metrics', '/console/output'], refuseDnsRebinding(dependencies.settings));
  for (const path of convertPaths) addRoute(app, path, { post: convertRoute(dependencies) });
  for (const [path, methods] of consoleRoutes(dependencies)) addRoute(app, path, methods);
  const limitReads = limitPerAccount(maxConcurrentReads);
  const limitOutputs = limitPerAccount(maxConcurrentOutputs);
  const limitRemovals = limitPerAccount(maxConcurrentRemovals);
  addRoute(app, '/metrics', { get: limitReads(metricsRoute(dependencies)) });
  addRoute(app, '/jobs', { get: limitReads(jobsRoute(dependencies)), post: submitRoute(dependencies) });
  addRoute(app, '/jobs/:id', {
    get: limitReads(jobRoute(dependencies)),
    delete: limitRemovals(removeRoute(dependencies)),
  });
  addRoute(app, '/jobs/:id/output', { get: limitOutputs(jobOutputRoute(dependencies)) });
  addRoute(app, '/self-test', { post: selfTestRoute(dependencies) });
  addRoute(app, '/openapi.json', {
    get: (_request, response) => void response.json(openApiDocument(dependencies.prefixes)),
  });
  addRoute(app, '/docs', { get: docs(dependencies) });
  app.use(notFound);
  app.use(failureHandler(dependencies));

  const application: RequestListener = (request, response) => {
    void app(toOriginForm(request), response);
  };
  return openServer(application, dependencies);
}

/** Maximum number of concurrent requests of one account for records of jobs and metrics. */
const maxConcurrentReads = 4;
/** Maximum number of concurrent requests of one account that cancel jobs or delete outputs. */
const maxConcurrentRemovals = 4;
/** Maximum number of concurrent requests of one account for outputs of asynchronous jobs. Each takes up to 3 MB of memory. */
const maxConcurrentOutputs = 16;

type RouteMethods = Partial<Record<'get' | 'post' | 'delete', RequestHandler>>;

/** Registers the handlers of a path. Other methods get status 405 with an Allow header. */
function addRoute(app: Express, path: string, methods: RouteMethods): void {
  const route = app.route(path);
  if (methods.get) route.get(methods.get);
  if (methods.post) route.post(methods.post);
  if (methods.delete) route.delete(methods.delete);
  route.all(methodNotAllowed(Object.keys(methods).map((method) => method.toUpperCase())));
}

/** Returns middleware that sets reason code 0, which a failure overwrites, and closes connections while the service stops. */
function commonHeaders({ prefixes, isStopping }: ServiceDependencies): RequestHandler {
  return (_request, response, next) => {
    setServiceHeaders(response, prefixes, { 'reason-code': 0 });
    if (isStopping()) closeAfterResponse(response);
    next();
  };
}

/** Counts the connection for the account of the request. @throws Failure tooManyRequests if the account has too many */
function admitConnection({ connections }: Pick<ServiceDependencies, 'connections'>): RequestHandler {
  return (request, response, next) => {
    connections.admit(request, accountOf(response));
    next();
  };
}

/** Validates the request with its original target. */
const checkRequest: RequestHandler = (request, _response, next) => {
  validateRequest(request, request.originalUrl);
  next();
};

function docs({ settings }: ServiceDependencies): RequestHandler {
  return (request, response) => {
    setPagePolicy(response, docsPolicy);
    response.type('html').send(docsPage(baseUrlFor(request, settings)));
  };
}

const health: RequestHandler = (_request, response) => {
  response.json({ status: 'alive' });
};

function ready({ unreadiness }: ServiceDependencies): RequestHandler {
  return async (_request, response) => {
    const reason = await unreadiness();
    response.status(reason === undefined ? 200 : 503);
    response.json(reason === undefined ? { status: 'ready' } : { status: 'not ready', reason });
  };
}

/** GET /metrics: the metrics in Prometheus format. Series of accounts are limited to the caller's, except for operators. */
function metricsRoute({ metrics }: Pick<ServiceDependencies, 'metrics'>): RequestHandler {
  return async (_request, response) => {
    const text = await metrics.text(accountOf(response));
    response.set('content-type', contentType).end(text);
  };
}

/**
 * POST /self-test: runs the self-test, for operators only. Not GET: a page of another site can load an address with the credentials
 * that the browser has stored, and over plain HTTP nothing in that request tells where it comes from. Sends a text table, or JSON if the client accepts it. The status is 503
 * if a check fails.
 * @throws Failure operatorOnly
 */
function selfTestRoute({ selfTest }: Pick<ServiceDependencies, 'selfTest'>): RequestHandler {
  return async (request, response) => {
    if (!accountOf(response).operator)
      throw new Failure('operatorOnly', 'Only operator accounts may run the self-test.');
    const report = await selfTest();
    response.status(report.passed ? 200 : 503).vary('accept');
    if (request.accepts(['text', 'json']) === 'json') response.json(report);
    else response.type('text/plain').send(reportText(report));
  };
}
