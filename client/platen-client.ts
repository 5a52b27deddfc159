/** The client: one method for each thing the service can be asked. */
import { readConversion, type Conversion } from './conversion.ts';
import { formOf, type ConversionRequest } from './form.ts';
import type { DebugLog, Job, JobList, Readiness } from './generated/answers.ts';
import { errorOf } from './platen-error.ts';
import { tryAgain } from './tries.ts';

export interface ClientSettings {
  /** Where the service is, such as https://pdf.example.com or https://example.com/platen. */
  readonly url: string | URL;
  readonly account: string;
  readonly key: string;
  /** In place of the global one: for proxies, certificates, longer time limits. */
  readonly fetch?: typeof fetch | undefined;
  /** Seconds a call may wait, altogether, to try again when the service has too much to do. 60; 0 is never. */
  readonly patience?: number | undefined;
}

export interface Patient {
  readonly signal?: AbortSignal | undefined;
}

/** Every method throws PlatenError for an answer that is no success, and what `fetch` throws when there is no answer. */
export class PlatenClient {
  readonly #base: string;
  readonly #authorization: string;
  readonly #fetch: typeof fetch;
  readonly #patience: number;

  constructor({ url, account, key, fetch: given, patience = 60 }: ClientSettings) {
    this.#base = String(url).replace(/\/+$/, '');
    this.#authorization = `Basic ${inBase64(`${account}:${key}`)}`;
    // A browser's fetch works only as a method of nothing.
    this.#fetch = given ?? ((input, init) => fetch(input, init));
    this.#patience = patience;
  }

  /** Converts one page. */
  async convert(request: ConversionRequest): Promise<Conversion> {
    const body = formOf(request);
    return readConversion(
      await this.#ask('/convert/24.04/', { method: 'POST', body, signal: request.signal }),
    );
  }

  /** The jobs of the account, the newest first; an operator sees those of all. */
  async jobs(wanted: JobsWanted = {}): Promise<JobList> {
    const { signal, ...rest } = wanted;
    const given = Object.entries(rest).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return this.#json(`/jobs?${query.toString()}`, { signal });
  }

  /** One job of the record. */
  async job(id: string, { signal }: Patient = {}): Promise<Job> {
    return this.#json(`/jobs/${encodeURIComponent(id)}`, { signal });
  }

  /** A debug log, by its id or by the address a conversion names. */
  async debugLog(idOrAddress: string, { signal }: Patient = {}): Promise<DebugLog> {
    // Whatever address the answer names, it is asked where this client asks.
    const id = /([^/]*)\/*$/.exec(idOrAddress)?.[1] ?? '';
    return this.#json(`/debug-log/${encodeURIComponent(id)}.json`, { signal });
  }

  /** Whether a window can take a job now, and if not why. */
  async ready({ signal }: Patient = {}): Promise<Readiness> {
    const response = await this.#send('/ready', { signal });
    // What has no such answer is something before the service.
    const isReadiness = response.headers.get('content-type')?.startsWith('application/json') === true;
    if (!isReadiness) throw await errorOf(response);
    return (await response.json()) as Readiness;
  }

  /** Whether the service's process lives; false when nothing answers. */
  async health({ signal }: Patient = {}): Promise<boolean> {
    try {
      const response = await this.#send('/health', { signal });
      await response.body?.cancel();
      return response.ok;
    } catch (problem) {
      if (signal?.aborted === true) throw problem;
      return false;
    }
  }

  async #json<T>(path: string, asking: Asking): Promise<T> {
    return (await (await this.#ask(path, asking)).json()) as T;
  }

  /** @throws PlatenError */
  async #ask(path: string, asking: Asking): Promise<Response> {
    const trying = { patience: this.#patience, signal: asking.signal };
    const response = await tryAgain(() => this.#send(path, asking), trying);
    if (response.ok) return response;
    throw await errorOf(response);
  }

  #send(path: string, { method = 'GET', body, signal }: Asking): Promise<Response> {
    const url = `${this.#base}${path}${path.includes('?') ? '&' : '?'}errfmt=json`;
    return this.#fetch(url, {
      ...{ method, headers: { authorization: this.#authorization } },
      ...(body && { body }),
      ...(signal && { signal }),
      // The service redirects nowhere; following a proxy's would send the key along and lose the form.
      redirect: 'error',
      // A browser would ask its user for a password after a 401.
      credentials: 'omit',
    });
  }
}

export interface JobsWanted extends Patient {
  /** Jobs of a page: 1 to 500, 50 unless given. */
  readonly limit?: number | undefined;
  /** Only jobs older than this one: `next` of the page before. */
  readonly before?: string | undefined;
  /** Only jobs of this account, for an operator. */
  readonly account?: string | undefined;
}

interface Asking extends Patient {
  readonly method?: 'GET' | 'POST';
  readonly body?: FormData;
}

/** Of UTF-8 (RFC 7617, 2.1), which `btoa` alone does not know. */
function inBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
