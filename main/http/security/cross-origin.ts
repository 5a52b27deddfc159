/**
 * Refuses requests from pages of other origins (CSRF): any web page can post a form to the service with the credentials that the
 * browser has stored. Routes with effects take POST or DELETE, with which every browser sends Origin; with GET it does not. The origins in the setting cors-origins are allowed and get CORS headers.
 */
import cors from 'cors';
import type { Request, RequestHandler } from 'express';
import { Failure } from '../../failure/failure.ts';
import { demoName } from '../../accounts/ensure.ts';
import { isDemoEnabled } from '../../settings/exposure.ts';
import type { Settings } from '../../settings/table.ts';
import { isOwnHost } from './base-url.ts';
import { accountOf } from '../server/locals.ts';
import { parsedUrl } from '../../fields/parsed-url.ts';

interface OriginOptions {
  readonly settings: Pick<Settings, 'base-url' | 'cors-origins' | 'host' | 'demo'>;
  readonly prefixes: readonly string[];
  /** Names of the service's response headers, without the prefix. */
  readonly headers: readonly string[];
}

/**
 * Returns middleware that adds CORS headers for the origins in cors-origins and answers their preflights, which carry no
 * credentials (Fetch, 4.8). Does nothing without cors-origins.
 */
export function allowOrigins({ settings, prefixes, headers }: OriginOptions): RequestHandler {
  const allowedOrigins = settings['cors-origins'] ?? [];
  if (allowedOrigins.length === 0)
    return (_request, _response, next) => {
      next();
    };
  const addCorsHeaders = cors({
    origin: [...allowedOrigins],
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key'],
    exposedHeaders: [
      ...prefixes.flatMap((prefix) => headers.map((name) => `x-${prefix}-${name}`)),
      'content-disposition',
      'location',
      'repr-digest',
      'retry-after',
    ],
    maxAge: 600,
  });
  return (request, response, next) => {
    response.vary('origin');
    const isAllowed = allowedOrigins.includes(request.headers.origin ?? '');
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    // An OPTIONS request that is not a preflight is handled like any other method.
    if (isAllowed && (isPreflight || request.method !== 'OPTIONS')) addCorsHeaders(request, response, next);
    else next();
  };
}

/**
 * Returns middleware that refuses requests from other origins. Browsers send Origin with all requests except plain navigation and
 * same-origin reads; other programs do not send it.
 * @throws Failure originRefused
 */
export function refuseOtherOrigins(settings: OriginOptions['settings']): RequestHandler {
  return (request, _response, next) => {
    if (isCrossOrigin(request, settings))
      throw new Failure(
        'originRefused',
        'Web pages of other origins may not use this service. The operator can allow an origin in cors-origins.',
        { cause: { origin: request.headers.origin, site: request.headers['sec-fetch-site'] } },
      );
    next();
  };
}

/**
 * Returns middleware that protects jobs, outputs and metrics of the demo account against DNS rebinding. Runs after authentication. With
 * same-origin reads, a browser sends no Origin (Fetch, 3.2), and over plain HTTP it sends no other header that distinguishes it
 * from a program. A rebound page that uses the well-known demo key would therefore look like a program.
 * @throws Failure originRefused
 */
export function refuseDnsRebinding(settings: OriginOptions['settings']): RequestHandler {
  const baseHost = settings['base-url'] === undefined ? undefined : new URL(settings['base-url']).host;
  return (request, response, next) => {
    const isDemo = isDemoEnabled(settings) && accountOf(response).name === demoName;
    if (
      isDemo &&
      request.headers.host !== baseHost &&
      !isOwnHost(request.headers.host ?? '', request.socket, settings)
    )
      throw new Failure(
        'originRefused',
        'The demo account can read its jobs and metrics only under an address of this service. The operator can set another name as base-url.',
        { cause: { host: request.headers.host } },
      );
    next();
  };
}

function isCrossOrigin(request: Request, settings: OriginOptions['settings']): boolean {
  const { headers, method } = request;
  const { origin } = headers;
  if (origin !== undefined) return !isAllowedOrigin(origin, request, settings);
  const site = headers['sec-fetch-site'] ?? 'none';
  if (site === 'none' || site === 'same-origin') return false;
  // Following a link from another page, for example to the documentation, is allowed.
  return headers['sec-fetch-mode'] !== 'navigate' || !['GET', 'HEAD'].includes(method);
}

/**
 * Returns whether the origin is in cors-origins or is the service's own. The latter compares only host and port, because a reverse
 * proxy may use another scheme.
 */
function isAllowedOrigin(origin: string, request: Request, settings: OriginOptions['settings']): boolean {
  if (settings['cors-origins']?.includes(origin) === true) return true;
  const originUrl = parsedUrl(origin);
  if (originUrl === undefined) return false;
  const ownUrls = [settings['base-url'] ?? ''];
  if (isHostTrusted(request, settings)) ownUrls.push(`${originUrl.protocol}//${request.headers.host ?? ''}`);
  return ownUrls.some((url) => parsedUrl(url)?.host === originUrl.host);
}

/**
 * Returns whether the Host header can be trusted. With DNS rebinding, a page has the same origin as the service it calls. The
 * browser has stored no credentials for that origin, but those of the demo account are well known. While the demo account is
 * enabled, only the service's own hosts are trusted.
 */
function isHostTrusted({ headers, socket }: Request, settings: OriginOptions['settings']): boolean {
  return !isDemoEnabled(settings) || isOwnHost(headers.host ?? '', socket, settings);
}
