/** Determines the local URL of a service with given settings, and sends requests to it. */
import { request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import type { Settings } from '../settings/table.ts';

type AddressSettings = Pick<Settings, 'host' | 'port' | 'tls-cert'>;

interface LocalResponse {
  readonly status: number;
  readonly body: string;
}

const timeoutMs = 5000;

/** Returns the URL at which this machine reaches the service. It may differ from the setting base-url, which is used in links. */
export function localUrl({ host, port, ...settings }: AddressSettings): string {
  const scheme = settings['tls-cert'] === undefined ? 'http' : 'https';
  const reachableHost = /^(0\.0\.0\.0|\[?::\]?)$/.test(host) ? '127.0.0.1' : host;
  const name =
    reachableHost.includes(':') && !reachableHost.startsWith('[') ? `[${reachableHost}]` : reachableHost;
  return `${scheme}://${name}:${port === 0 ? 'PORT' : port}`;
}

/** Sends a GET request. Returns the response, or undefined if none arrives in time or the port is unknown (0). */
export function requestLocal(settings: AddressSettings, path: string): Promise<LocalResponse | undefined> {
  return settings.port === 0 ? Promise.resolve(undefined) : requestUrl(localUrl(settings) + path);
}

/** Sends a GET request. Returns the response, or undefined if none arrives in time. */
export function requestUrl(url: string): Promise<LocalResponse | undefined> {
  return new Promise((resolve) => {
    // The certificate is for the public host name, not for the local address, so it is not checked. The request contains no
    // secrets.
    const options = { timeout: timeoutMs, rejectUnauthorized: false, agent: false };
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
