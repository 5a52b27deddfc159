/** Determines the base URL of links in responses, and normalises request targets. Ignores Host headers that name another server. */
import type { Request } from 'express';
import type { Settings } from '../../settings/table.ts';
import { parsedUrl } from '../../fields/parsed-url.ts';

/**
 * Returns the setting base-url. Without it, returns the request's Host if that is a loopback name or the listening address,
 * otherwise the listening address. A client that uses the service as a proxy (RFC 9112, 3.2.2) may send the Host of another server.
 */
export function baseUrlFor(request: Request, settings: Settings): string {
  if (settings['base-url'] !== undefined) return settings['base-url'];
  const { localAddress = '127.0.0.1', localPort = 0 } = request.socket;
  const host = request.headers.host ?? '';
  const listening = bracketed(localAddress);
  const isTrusted =
    isOwnHost(host, request.socket, settings) && !repeatsTargetHost(host, request.originalUrl);
  const scheme = 'encrypted' in request.socket ? 'https' : 'http';
  return `${scheme}://${isTrusted ? host : `${listening}:${localPort}`}`;
}

/** Returns the link to a debug log, with the base URL for this request. */
export function debugLogLink(request: Request, settings: Settings, id: string): string {
  return `${baseUrlFor(request, settings)}/debug-log/${id}`;
}

/** Returns whether a Host header is a loopback name, the listening address or the setting `host`. */
export function isOwnHost(
  host: string,
  { localAddress = '127.0.0.1' }: Pick<Request['socket'], 'localAddress'>,
  settings: Pick<Settings, 'host'>,
): boolean {
  return (
    /^[^/@\s]+$/.test(host) && isOwnHostName(host, [settings.host.toLowerCase(), bracketed(localAddress)])
  );
}

function isOwnHostName(host: string, names: readonly string[]): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name) || names.includes(name);
}

function bracketed(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return plain.includes(':') ? `[${plain}]` : plain;
}

// Request targets (RFC 9112, 3.2). Clients that use the service as a proxy send an absolute URL.

/**
 * Reduces the request target to path and query, for routing. `originalUrl` keeps the original. The service never forwards a
 * request, even if the target names another host.
 */
export function toOriginForm<R extends { url?: string | undefined }>(request: R): R {
  const target = request.url ?? '/';
  return Object.assign(request, { originalUrl: target, url: originForm(target) });
}

/**
 * Replaces text instead of parsing, because targets that are not valid URLs have a path too. Removes fragments, which clients must
 * not send (RFC 9110, 4.2.5), and encodes invalid bytes: with either, Express would parse the target as a URL, in which `//` starts
 * a host.
 */
function originForm(target: string): string {
  const [withoutFragment = ''] = target.split('#', 1);
  const path = withoutFragment
    .replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
    .replaceAll(/[^!-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return path === target || path.startsWith('/') ? path : `/${path}`;
}

/**
 * Returns whether the Host header repeats the host of an absolute target. The header then names another server, not this service.
 */
function repeatsTargetHost(host: string, target: string): boolean {
  const targetHost = parsedUrl(target)?.host;
  return targetHost !== undefined && targetHost === parsedUrl(`http://${host}`)?.host;
}
