/** What browsers are told about every answer, and about the pages among them. The one owner of such headers. */
import { createHash } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';

/** Of answers that are no page: shown by themselves they load and run nothing. */
const nothing = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Headers for every answer; each may set its own content policy later. */
export function securityHeaders(): RequestHandler[] {
  const general = helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: false,
    // What follows is for browsers that know no content policy, for Flash, or for nobody.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  const policy: RequestHandler = (_request, response, next) => {
    response.set({ 'content-security-policy': nothing, 'cache-control': 'no-store' });
    next();
  };
  return [general, policy, strictTransport];
}

/**
 * A browser keeps to TLS for every port of a host (RFC 6797, 8.3), so this is said only where the port is TLS's own: on others
 * the neighbours on the same machine may speak plain HTTP.
 */
const strictTransport: RequestHandler = (request, response, next) => {
  if ('encrypted' in request.socket && request.socket.localPort === 443)
    response.set('strict-transport-security', 'max-age=31536000');
  next();
};

/** For a page without scripts whose only style is this sheet. */
export function policyForStyle(sheet: string): string {
  const hash = createHash('sha256').update(sheet).digest('base64');
  return `${nothing}; style-src 'sha256-${hash}'`;
}

export function setPagePolicy(response: Response, policy: string): void {
  response.set('content-security-policy', policy);
}

/** For documents and pictures: under `object-src 'none'`, which `default-src` implies, Chromium's PDF viewer shows nothing. */
export function liftPagePolicy(response: Response): void {
  response.removeHeader('content-security-policy');
}
