/** The start of links in answers. The Host header is the client's word, so it is believed only where it can do no harm. */
import type { Request } from 'express';
import type { Settings } from '../settings/table.ts';
import { namesWhatIsBehind } from './request-target.ts';

/**
 * The setting; else the request's Host when it is a loopback name or the listening address; else the listening address.
 * A client that takes us for a proxy (RFC 9112, 3.2.2) may send the Host of the service it thinks is behind us.
 */
export function baseUrlFor(request: Request, settings: Settings): string {
  if (settings['base-url'] !== undefined) return settings['base-url'];
  const { localAddress = '127.0.0.1', localPort = 0 } = request.socket;
  const host = request.headers.host ?? '';
  const listening = bracketed(localAddress);
  const believed = isOurHost(host, request.socket, settings) && !namesWhatIsBehind(host, request.originalUrl);
  const scheme = 'encrypted' in request.socket ? 'https' : 'http';
  return `${scheme}://${believed ? host : `${listening}:${localPort}`}`;
}

/** The address of a debug log, for whoever asks in this request. */
export function debugLogLink(request: Request, settings: Settings, id: string): string {
  return `${baseUrlFor(request, settings)}/debug-log/${id}`;
}

/** Whether a Host is a loopback name, the listening address or the name that was set for it. */
export function isOurHost(
  host: string,
  { localAddress = '127.0.0.1' }: Pick<Request['socket'], 'localAddress'>,
  settings: Pick<Settings, 'host'>,
): boolean {
  return /^[^/@\s]+$/.test(host) && isOurs(host, [settings.host.toLowerCase(), bracketed(localAddress)]);
}

function isOurs(host: string, names: readonly string[]): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name) || names.includes(name);
}

function bracketed(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return plain.includes(':') ? `[${plain}]` : plain;
}
