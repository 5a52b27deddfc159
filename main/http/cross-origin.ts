/**
 * Pages of other origins in a browser of the office. A form on any web page can be posted here, with the credentials the
 * browser still knows (CSRF): so other origins are refused unless the operator names them, and those get CORS.
 */
import cors from 'cors';
import type { Request, RequestHandler } from 'express';
import { Failure } from '../failure/failure.ts';
import { demoName } from '../accounts/ensure.ts';
import { demoIsOn } from '../settings/demo.ts';
import type { Settings } from '../settings/table.ts';
import { isOurHost } from './base-url.ts';
import { accountOf } from './locals.ts';

interface OriginParts {
  readonly settings: Pick<Settings, 'base-url' | 'cors-origins' | 'host' | 'demo'>;
  readonly prefixes: readonly string[];
  /** Names of our response headers, without their prefix. */
  readonly headers: readonly string[];
}

/** CORS for the named origins; preflights need no credentials (Fetch, 4.8). Nothing when none are named. */
export function shareWithOrigins({ settings, prefixes, headers }: OriginParts): RequestHandler {
  const named = settings['cors-origins'] ?? [];
  if (named.length === 0)
    return (_request, _response, next) => {
      next();
    };
  const share = cors({
    origin: [...named],
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['authorization', 'content-type'],
    exposedHeaders: [
      ...prefixes.flatMap((prefix) => headers.map((name) => `x-${prefix}-${name}`)),
      'content-disposition',
      'retry-after',
    ],
    maxAge: 600,
  });
  return (request, response, next) => {
    response.vary('origin');
    const isNamed = named.includes(request.headers.origin ?? '');
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    // OPTIONS that is no preflight is a method like others.
    if (isNamed && (isPreflight || request.method !== 'OPTIONS')) share(request, response, next);
    else next();
  };
}

/**
 * Programs send no Origin; browsers do, with everything but plain navigation.
 * @throws Failure originRefused
 */
export function refuseOtherOrigins(settings: OriginParts['settings']): RequestHandler {
  return (request, _response, next) => {
    if (isForeign(request, settings))
      throw new Failure(
        'originRefused',
        'Web pages of other origins may not use this service; the operator can name theirs in cors-origins.',
        { cause: { origin: request.headers.origin, site: request.headers['sec-fetch-site'] } },
      );
    next();
  };
}

/**
 * To what jobs have left, after authentication. A browser sends no Origin with what a page reads of its own (Fetch, 3.2), and over
 * plain HTTP nothing else that tells: so a rebound page, which knows the key of the demo account, looks like a program.
 * @throws Failure originRefused
 */
export function refuseReboundReaders(settings: OriginParts['settings']): RequestHandler {
  const own = settings['base-url'] === undefined ? undefined : new URL(settings['base-url']).host;
  return (request, response, next) => {
    const isDemo = demoIsOn(settings) && accountOf(response).name === demoName;
    if (
      isDemo &&
      request.headers.host !== own &&
      !isOurHost(request.headers.host ?? '', request.socket, settings)
    )
      throw new Failure(
        'originRefused',
        'The demo account reads its jobs by an address of this service only, not by another name; the operator can set that as base-url.',
        { cause: { host: request.headers.host } },
      );
    next();
  };
}

function isForeign(request: Request, settings: OriginParts['settings']): boolean {
  const { headers, method } = request;
  const { origin } = headers;
  if (origin !== undefined) return !isOwn(origin, request, settings);
  const site = headers['sec-fetch-site'] ?? 'none';
  if (site === 'none' || site === 'same-origin') return false;
  // A link from another page to the documentation is none of its programs.
  return headers['sec-fetch-mode'] !== 'navigate' || !['GET', 'HEAD'].includes(method);
}

/** By host and port: a proxy in front may speak another scheme. */
function isOwn(origin: string, request: Request, settings: OriginParts['settings']): boolean {
  if (settings['cors-origins']?.includes(origin) === true) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  const ours = [settings['base-url'] ?? ''];
  if (isBelieved(request, settings)) ours.push(`${from.protocol}//${request.headers.host ?? ''}`);
  return ours.some((address) => URL.canParse(address) && new URL(address).host === from.host);
}

/**
 * A page whose name was made to lead here (DNS rebinding) is of the origin it asks. A browser has no credentials for that
 * name, but those of the demo account everybody knows.
 */
function isBelieved({ headers, socket }: Request, settings: OriginParts['settings']): boolean {
  return !demoIsOn(settings) || isOurHost(headers.host ?? '', socket, settings);
}
