/** The client: one method for each operation of the service. */
import { readConversion, type Conversion } from './conversion.ts';
import { formDataOf, type ConversionRequest } from './form.ts';
import type { DebugLog, Job, JobList, Readiness, SubmittedJob } from './generated/answers.ts';
import { errorOf, PlatenError } from './platen-error.ts';
import { sleep, withRetries } from './retries.ts';

export interface ClientSettings {
  /** The URL of the service, such as https://pdf.example.com or https://example.com/platen. */
  readonly url: string | URL;
  readonly account: string;
  readonly key: string;
  /** Used instead of the global `fetch`, for example to use a proxy, custom certificates or longer timeouts. */
  readonly fetch?: typeof fetch | undefined;
  /**
   * The maximum total time in seconds that a call waits before retries while the service responds with 503 or 429; 60 by default.
   * Set to 0, it disables retries.
   */
  readonly patience?: number | undefined;
}

export interface RequestControl {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Methods throw PlatenError for an error response, and the error of `fetch` if there is no response. Two methods return a value
 * instead: `ready` if the service is not ready, and `health`.
 */
export class PlatenClient {
  readonly #base: string;
  readonly #authorization: string;
  readonly #fetch: typeof fetch;
  readonly #patience: number;

  constructor({ url, account, key, fetch: customFetch, patience = 60 }: ClientSettings) {
    this.#base = String(url).replace(/(?<!\/)\/+$/, '');
    this.#authorization = `Basic ${inBase64(`${account}:${key}`)}`;
    // `fetch` of a browser throws when it is called as a method of another object.
    this.#fetch = customFetch ?? ((input, init) => fetch(input, init));
    this.#patience = patience;
  }

  /** Converts a URL, HTML, a file or an archive to a PDF or an image. @throws TypeError for an invalid request */
  async convert(request: ConversionRequest): Promise<Conversion> {
    const body = formDataOf(request);
    return readConversion(
      await this.#request('/convert/24.04/', { method: 'POST', body, signal: request.signal }),
    );
  }

  /**
   * Submits an asynchronous job, which runs later. Returns its id. A call that is repeated with the same `idempotencyKey`, for example
   * because the connection broke, gives the same job. @throws TypeError for an invalid request
   */
  async submit(request: AsynchronousRequest): Promise<SubmittedJob> {
    const { callbackUrl, priority, keep, idempotencyKey = randomKey(), ...conversion } = request;
    const body = formDataOf(conversion);
    for (const [name, value] of Object.entries({ callback_url: callbackUrl, priority, keep }))
      if (value !== undefined) body.append(name, String(value));
    const headers = { 'idempotency-key': idempotencyKey };
    return this.#json('/jobs', { method: 'POST', body, headers, signal: request.signal });
  }

  /** Returns the output of an asynchronous job. @throws PlatenError with the reason 330 while the job waits or runs */
  async output(id: string, { signal }: RequestControl = {}): Promise<Conversion> {
    return readConversion(await this.#request(`/jobs/${encodeURIComponent(id)}/output`, { signal }));
  }

  /**
   * Waits for the end of an asynchronous job and returns its output. Asks as often as the service recommends.
   * @throws PlatenError with the failure of the job, also if it was canceled; the reason of an aborted signal
   */
  async waitForOutput(id: string, { signal }: RequestControl = {}): Promise<Conversion> {
    for (;;) {
      try {
        return await this.output(id, { signal });
      } catch (problem) {
        if (!(problem instanceof PlatenError) || problem.reason !== notEnded) throw problem;
        await sleep(problem.retryAfter ?? 1, signal);
      }
    }
  }

  /** Cancels an asynchronous job, or deletes its output if it has ended. */
  async cancel(id: string, { signal }: RequestControl = {}): Promise<void> {
    const response = await this.#request(`/jobs/${encodeURIComponent(id)}`, { method: 'DELETE', signal });
    await response.body?.cancel();
  }

  /** Returns one page of the account's jobs, newest first; for an operator, the jobs of all accounts. */
  async jobs(request: JobsRequest = {}): Promise<JobList> {
    const { signal, ...rest } = request;
    const parameters = Object.entries(rest).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]));
    return this.#json(`/jobs?${query.toString()}`, { signal });
  }

  /** Returns the record of one job. */
  async job(id: string, { signal }: RequestControl = {}): Promise<Job> {
    return this.#json(`/jobs/${encodeURIComponent(id)}`, { signal });
  }

  /** Returns a debug log. Takes its id or its URL (`debugLog` of a conversion or an error). */
  async debugLog(idOrAddress: string, { signal }: RequestControl = {}): Promise<DebugLog> {
    // Uses only the id of a URL, because the request must go to the service of this client.
    const id =
      idOrAddress
        .replace(/(?<!\/)\/+$/, '')
        .split('/')
        .pop() ?? '';
    return this.#json(`/debug-log/${encodeURIComponent(id)}.json`, { signal });
  }

  /**
   * Returns whether the service can take a job now, and the reason if it cannot. @throws PlatenError for a response that is not
   * JSON
   */
  async ready({ signal }: RequestControl = {}): Promise<Readiness> {
    const response = await this.#send('/ready', { signal });
    // A response that is not JSON comes from a proxy in front of the service.
    const isReadiness = response.headers.get('content-type')?.startsWith('application/json') === true;
    if (!isReadiness) throw await errorOf(response);
    return (await response.json()) as Readiness;
  }

  /**
   * Returns whether the service process is alive; false for an error response or no response. @throws the reason of an aborted
   * signal
   */
  async health({ signal }: RequestControl = {}): Promise<boolean> {
    try {
      const response = await this.#send('/health', { signal });
      await response.body?.cancel();
      return response.ok;
    } catch (problem) {
      if (signal?.aborted === true) throw problem;
      return false;
    }
  }

  async #json<T>(path: string, options: RequestOptions): Promise<T> {
    return (await (await this.#request(path, options)).json()) as T;
  }

  /** Sends a request, with retries. @throws PlatenError for an error response */
  async #request(path: string, options: RequestOptions): Promise<Response> {
    const retryOptions = { patience: this.#patience, signal: options.signal };
    const response = await withRetries(() => this.#send(path, options), retryOptions);
    if (response.ok) return response;
    throw await errorOf(response);
  }

  #send(path: string, { method = 'GET', body, headers, signal }: RequestOptions): Promise<Response> {
    const url = `${this.#base}${path}${path.includes('?') ? '&' : '?'}errfmt=json`;
    return this.#fetch(url, {
      method,
      headers: { ...headers, authorization: this.#authorization },
      ...(body && { body }),
      ...(signal && { signal }),
      // The service never redirects. Following the redirect of a proxy would disclose the key and lose the form.
      redirect: 'error',
      // Otherwise, a browser would show a password prompt after a 401.
      credentials: 'omit',
    });
  }
}

/** The reason code of a job that has not ended. */
const notEnded = 330;

/** A request for an asynchronous job. */
export type AsynchronousRequest = ConversionRequest & {
  /** Receives a signed callback when the job has ended (docs/callbacks.md). */
  readonly callbackUrl?: string | undefined;
  /** `interactive` jobs run before `batch` jobs, the default. */
  readonly priority?: 'interactive' | 'batch' | undefined;
  /** How long the output is kept, in seconds; at most, and by default, as long as the service keeps outputs. */
  readonly keep?: number | undefined;
  /** Identifies the request, up to 255 ASCII characters. Default: a random one, so that retries of this call are safe. */
  readonly idempotencyKey?: string | undefined;
};

export interface JobsRequest extends RequestControl {
  /** Jobs per page, 1 to 500. Default: 50. */
  readonly limit?: number | undefined;
  /** Id of a job: only older jobs are returned. Pass `next` of the previous page. */
  readonly before?: string | undefined;
  /** Name of an account: only its jobs are returned. For operators only. */
  readonly account?: string | undefined;
}

interface RequestOptions extends RequestControl {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns 32 random hex digits. The key must be unique, not secret; Node.js 18 and pages without TLS have no `crypto.randomUUID`. */
function randomKey(): string {
  return Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join('');
}

/** Encodes a string as base64 of its UTF-8 bytes (RFC 7617, 2.1). `btoa` alone accepts only characters up to U+00FF. */
function inBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
