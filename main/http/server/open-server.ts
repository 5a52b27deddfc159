/** Creates Node's HTTP or HTTPS server for the application, with its certificate, timeouts and connection limit. */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { ServiceLog } from '../../log/service-log.ts';
import { hasUnencryptedRemoteTraffic } from '../../settings/exposure.ts';
import type { Settings } from '../../settings/table.ts';
import type { Certificate } from '../../preflight/certificate.ts';
import { watchCertificate } from './certificate-renewal.ts';
import type { Connections } from './connections.ts';
import { respondToClientErrors } from './client-errors.ts';
import { stallTimeouts, watchStalls, type StallTimeouts } from './stalls.ts';
import { announceKeepAlive, keepAliveTimeoutMs } from '../response/respond.ts';

interface HttpServerOptions {
  readonly settings: Pick<Settings, 'base-url' | 'host' | 'upload-timeout'>;
  readonly prefixes: readonly string[];
  readonly log: ServiceLog;
  readonly connections: Connections;
  /** Default: those of stalls.ts. */
  readonly stallTimeouts?: StallTimeouts;
  /** Absent for plain HTTP. */
  readonly certificate?: Certificate | undefined;
}

/**
 * Creates the server. It passes every request to `application`, valid or not, except those after the last request of a connection.
 */
export function openServer(application: RequestListener, options: HttpServerOptions): Server {
  const { connections } = options;
  const server = createNodeServer(options);
  // 0 means no limit: above a limit, Node silently drops headers. The number is checked later (request-validation.ts).
  server.maxHeadersCount = 0;
  connections.watch(server);
  const refuse = respondToClientErrors(server, options);
  const stalls = watchStalls(server, { ...stallTimeouts, ...options.stallTimeouts, connections, refuse });
  const handle: RequestListener = (request, response) => {
    // Creates the state of locals.ts before Express does, because client-errors.ts may use it earlier.
    const exchange = { request, response: Object.assign(response, { locals: {} }) };
    announceKeepAlive(response);
    stalls.beginExchange(exchange);
    connections.begin(exchange, () => {
      application(request, response);
      // A response that closes the connection also discards pipelined requests.
      if (response.getHeader('connection') === 'close') connections.refuseFurtherRequests(request.socket);
    });
  };
  server.on('request', handle);
  // receive.ts sends 100 Continue when it reads the body, or the request is refused before its body is sent.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  return server;
}

function createNodeServer({ settings, certificate, log }: HttpServerOptions): Server {
  const options = { ...parserOptions, ...timeouts(settings['upload-timeout']) };
  if (certificate === undefined) {
    if (hasUnencryptedRemoteTraffic(settings)) log.warn(plainHttpWarning);
    return createServer(options);
  }
  const server = createSecureServer({ ...options, ...certificate.options, handshakeTimeout: 15_000 });
  watchCertificate(server, certificate, { log });
  return server;
}

const plainHttpWarning =
  'keys and documents are sent unencrypted; set tls-cert and tls-key, or listen on 127.0.0.1 behind a TLS proxy';

/** `insecureHTTPParser` is set explicitly, so that no command-line switch enables it. */
const parserOptions = { insecureHTTPParser: false, requireHostHeader: false, maxHeaderSize: 16_384 };

/**
 * Timeouts for headers and bodies that never end, in milliseconds. Conversions apply their own, shorter upload timeout first,
 * because they must close their job record.
 */
function timeouts(uploadTimeout: number): ServerOptions {
  return {
    headersTimeout: 30_000,
    requestTimeout: uploadTimeout + 60_000,
    connectionsCheckingInterval: 2000,
    keepAliveTimeout: keepAliveTimeoutMs,
  };
}
