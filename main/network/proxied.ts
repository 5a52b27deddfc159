/** Owns the ways through the proxies a job's caller has named: for http and for https each its own, or none. */
import { readHost } from './host.ts';
import { directRoute, type Route, type RouteOptions } from './route.ts';
import { portOf, upstreamRoute } from './upstream.ts';

export interface Proxies {
  readonly http?: URL;
  readonly https?: URL;
}

/** A caller's proxy is a target like any other, judged and dialled at the address that was judged; so are the targets behind it. */
export function proxiedRoute(options: RouteOptions, { http, https }: Proxies): Route {
  const direct = directRoute(options);
  const through = (proxy: URL | undefined): Route => {
    if (proxy === undefined) return direct;
    const host = readHost(proxy.hostname) ?? proxy.hostname;
    return upstreamRoute(options, proxy, () => direct.connect({ host, port: portOf(proxy) }));
  };
  const [plain, tunnelled] = [through(http), through(https)];
  return {
    connect: (target) => tunnelled.connect(target),
    aim: (target, url) => plain.aim(target, url),
    close() {
      for (const route of [direct, plain, tunnelled]) route.close();
    },
  };
}
