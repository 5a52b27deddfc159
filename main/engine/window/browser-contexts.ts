/** Owns the browser contexts: hands out free ones, opens new ones if none is free, and cleans returned ones. */
import type { ServiceLog } from '../../log/service-log.ts';
import { serviceEndpointsReader, type ServiceEndpoints } from '../../network/service-endpoints.ts';
import { openGuard, type Guard, type GuardOptions } from '../../network/proxy.ts';
import {
  endRequests,
  openBrowserContext,
  clearNetworkState,
  clearStorage,
  type BrowserContext,
} from './browser-context.ts';
import { withTimeout } from '../../async/signals.ts';

export interface NetworkOptions extends Pick<GuardOptions, 'rules' | 'upstreamProxy' | 'resolve'> {
  /** Limits of one page: settings page-requests and page-size. */
  readonly limits?: GuardOptions['limits'];
  /** Returns the service's port, which pages may not reach; undefined while the service does not listen. */
  readonly servicePort?: () => number | undefined;
}

interface BrowserContextsOptions {
  readonly network: NetworkOptions;
  readonly log: ServiceLog;
}

/** A thousand times the usual time to open or clean a context. */
const contextTimeoutMs = 5000;

/** Opens a context only if no free one exists, because Electron never frees a session. */
export class BrowserContexts {
  readonly #network: NetworkOptions;
  readonly #log: ServiceLog;
  readonly #free: BrowserContext[] = [];
  readonly #guardPorts = new Set<number>();
  readonly #serviceEndpoints: () => ServiceEndpoints;

  constructor({ network, log }: BrowserContextsOptions) {
    this.#network = network;
    this.#log = log;
    const service = network.servicePort ?? (() => undefined);
    this.#serviceEndpoints = serviceEndpointsReader({ guards: this.#guardPorts, service });
  }

  async acquire(): Promise<BrowserContext> {
    return this.#free.pop() ?? (await this.#open());
  }

  /** Cleans the context for another window, or discards it. Never rejects. */
  async release(context: BrowserContext): Promise<void> {
    context.document.withdraw();
    try {
      await withTimeout(contextTimeoutMs, cleanContext(context));
      context.logTarget.log = this.#log;
      this.#free.push(context);
    } catch (problem) {
      context.logTarget.log.warn({ err: problem }, 'a session could not be cleaned and is discarded');
      await this.#closeGuard(context.guard);
    }
  }

  /** Closes the network guards of the free contexts and of `others`. */
  async dispose(others: readonly BrowserContext[]): Promise<void> {
    await Promise.all([...this.#free, ...others].map(({ guard }) => guard[Symbol.asyncDispose]()));
  }

  async #open(): Promise<BrowserContext> {
    const logTarget = { log: this.#log };
    const { limits } = this.#network;
    const guard = await openGuard({
      ...this.#network,
      // Twice the page's limit, because Chromium also preconnects and retries. request-tracker.ts counts the page's own requests.
      limits: limits && { ...limits, requests: 2 * limits.requests },
      serviceEndpoints: this.#serviceEndpoints,
      log(refusal) {
        logTarget.log.warn({ refusal }, 'the network policy refused a request');
      },
    });
    this.#guardPorts.add(guard.port);
    try {
      const opening = openBrowserContext({ guard, logTarget, maxRequests: limits?.requests });
      return await withTimeout(contextTimeoutMs, opening);
    } catch (problem) {
      await this.#closeGuard(guard);
      throw problem;
    }
  }

  async #closeGuard(guard: Guard): Promise<void> {
    await guard[Symbol.asyncDispose]();
    this.#guardPorts.delete(guard.port);
  }
}

async function cleanContext(context: BrowserContext): Promise<void> {
  await endRequests(context);
  await Promise.all([clearStorage(context), clearNetworkState(context)]);
}
