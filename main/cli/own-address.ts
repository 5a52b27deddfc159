/** Where a service with these settings is reached from this machine, and what it answers there. */
import { request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import type { Settings } from '../settings/table.ts';

type AddressSettings = Pick<Settings, 'host' | 'port' | 'tls-cert'>;

export interface OwnAnswer {
  readonly status: number;
  readonly body: string;
}

/** Milliseconds. */
const patience = 5000;

/** Its own address, not the one in links. */
export function addressOf({ host, port, ...settings }: AddressSettings): string {
  const scheme = settings['tls-cert'] === undefined ? 'http' : 'https';
  const reached = /^(0\.0\.0\.0|\[?::\]?)$/.test(host) ? '127.0.0.1' : host;
  const name = reached.includes(':') && !reached.startsWith('[') ? `[${reached}]` : reached;
  return `${scheme}://${name}:${port === 0 ? 'PORT' : port}`;
}

/** Undefined when nobody answers in time, or nobody knows where. */
export function askOwn(settings: AddressSettings, path: string): Promise<OwnAnswer | undefined> {
  if (settings.port === 0) return Promise.resolve(undefined);
  const url = addressOf(settings) + path;
  return new Promise((resolve) => {
    // Its certificate is for the name callers use, and nothing secret is said here.
    const options = { timeout: patience, rejectUnauthorized: false, agent: false };
    const request = url.startsWith('https:') ? requestByHttps(url, options) : requestByHttp(url, options);
    request.once('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('close', () => {
        resolve({ status: response.statusCode ?? 0, body });
      });
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => {
      resolve(undefined);
    });
    request.end();
  });
}
