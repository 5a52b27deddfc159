/** The network access of callbacks: the policy and the upstream proxy that pages use. */
import { systemResolve } from '../network/name-resolver.ts';
import type { AdmissionContext } from '../network/resolve-target.ts';
import { serviceEndpointsReader } from '../network/service-endpoints.ts';
import { networkRules } from '../settings/network-rules.ts';
import type { Settings } from '../settings/table.ts';

/** How callbacks reach their receivers. */
export interface CallbackNetwork extends AdmissionContext {
  /** The operator's proxy; the network rules do not apply to the proxy itself. */
  readonly upstreamProxy?: URL | undefined;
  /** PEM certificates. Default: the authorities that the service trusts. */
  readonly authorities?: readonly string[] | undefined;
}

/** `servicePort` returns the port of this service, to which no callback is sent; undefined before it listens. */
export function callbackNetwork(
  settings: Pick<Settings, 'network' | 'network-allow' | 'network-deny' | 'upstream-proxy'>,
  servicePort: () => number | undefined,
): CallbackNetwork {
  const proxy = settings['upstream-proxy'];
  return {
    rules: networkRules(settings),
    resolve: systemResolve,
    serviceEndpoints: serviceEndpointsReader({ guards: new Set(), service: servicePort }),
    upstreamProxy: proxy === undefined ? undefined : new URL(proxy),
  };
}
