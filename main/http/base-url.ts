/** The start of links in answers. The Host header is the client's word, so it is believed only where it can do no harm. */
import type { Request } from 'express';
import type { Settings } from '../settings/table.ts';

/** The setting; else the request's Host when it is a loopback name or the listening address; else the listening address. */
export function baseUrlFor(request: Request, settings: Settings): string {
  if (settings['base-url'] !== undefined) return settings['base-url'];
  const { localAddress = '127.0.0.1', localPort = 0 } = request.socket;
  const host = request.headers.host ?? '';
  const name = host.replace(/:\d+$/, '').toLowerCase();
  const believed =
    /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name) ||
    name === settings.host.toLowerCase() ||
    name === bracketed(localAddress);
  return `http://${believed && /^[^/@\s]+$/.test(host) ? host : `${bracketed(localAddress)}:${localPort}`}`;
}

function bracketed(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return plain.includes(':') ? `[${plain}]` : plain;
}
