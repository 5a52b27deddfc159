/** Starts a web server with two host names, and an engine that may load from both. Runs inside Electron. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine, EngineOptions } from '../../../main/engine/engine.ts';
import type { WindowRun } from '../../../main/engine/window-run.ts';
import { loadPage } from '../../../main/engine/loading/load-page.ts';
import type { EngineWindow } from '../../../main/engine/window/engine-window.ts';
import { readHostPattern } from '../../../main/network/policy.ts';
import { newRun, startEngine } from '../service/engine.ts';

/** The origins of the two sites: the same port of 127.0.0.1 and of localhost. */
export interface TwoOrigins {
  readonly here: string;
  readonly there: string;
}

/** The HTML of each page by its path. */
export type Pages = Readonly<Record<string, (sites: TwoOrigins) => string>>;

export interface TwoSites extends TwoOrigins, AsyncDisposable {
  readonly engine: Engine;
  /** Loads the page at the address, and returns the result of `inspect`, called with the window. */
  readonly visit: <T>(
    address: string,
    inspect: (window: EngineWindow, run: WindowRun) => T | Promise<T>,
  ) => Promise<T>;
}

export async function openTwoSites(pages: Pages, options: Partial<EngineOptions>): Promise<TwoSites> {
  const web = createServer(({ url = '' }, response) => {
    const page = pages[url];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page?.(sites));
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const { port } = web.address() as AddressInfo;
  const sites = { here: `http://127.0.0.1:${port}`, there: `http://localhost:${port}` };
  const allow = ['127.0.0.1', 'localhost'].map(readHostPattern).filter((pattern) => pattern !== undefined);
  const network = { rules: { policy: 'intranet' as const, allow, deny: [] } };
  const engine = await startEngine({ ...options, network });
  return {
    ...sites,
    engine,
    async visit(address, inspect) {
      const source = { kind: 'remote', url: new URL(address), scripts: true } as const;
      return engine.withWindow(newRun('', { wait_until: 'loaded' }), source, async (window, limited) => {
        await loadPage(window, source, limited);
        return inspect(window, limited);
      });
    },
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      web.closeAllConnections();
      web.close();
    },
  };
}
