/** Node's HTTP server around the application: its certificate, its patience, its connections. It knows no route. */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Response } from 'express';
import type { ServiceLog } from '../log/service-log.ts';
import { talksOpenly } from '../settings/exposure.ts';
import type { Settings } from '../settings/table.ts';
import type { Certificate } from '../preflight/certificate.ts';
import { keepCertificateFresh } from './certificate-renewal.ts';
import { watchConnections } from './connections.ts';
import { isKnown } from './locals.ts';
import { answerWireFaults } from './wire-faults.ts';

interface ServerParts {
  readonly settings: Pick<Settings, 'base-url' | 'connections' | 'host' | 'upload-timeout'>;
  readonly prefixes: readonly string[];
  readonly log: ServiceLog;
  /** Connections it may take: those of the settings, or as many as can be afforded (descriptors.ts). */
  readonly callers: number;
  /** Absent: plain HTTP. */
  readonly certificate?: Certificate | undefined;
}

/** `application` is given sound requests and others, but none after the last one of its connection. */
export function openServer(application: RequestListener, parts: ServerParts): Server {
  const { settings, log, callers: most } = parts;
  const server = makeServer(parts);
  // Node would leave out what is more, in silence; the soundness of a request is looked at later.
  server.maxHeadersCount = 0;
  if (most < settings.connections) log.warn({ connections: most }, fewDescriptors);
  const connections = watchConnections(server, {
    most,
    // Whoever is refused is listened to until his form is over.
    isServed: ({ request, response }) => request.complete || isKnown(response as Response),
    onFull() {
      log.warn(
        { connections: most },
        'all connections are taken, and idle or new ones are closed; the setting connections allows more',
      );
    },
  });
  answerWireFaults(server, { ...parts, connections });
  const take: RequestListener = (request, response) => {
    // What is noted of an answer (locals.ts) can be from now on, and not only once Express has it.
    const exchange = { request, response: Object.assign(response, { locals: {} }) };
    if (connections.begin(exchange)) application(request, response);
    // A refusal that ends the connection ends it for what came in one piece with the request, too.
    if (response.getHeader('connection') === 'close') connections.close(request.socket);
  };
  server.on('request', take);
  // Who asks first is told to go on by the one who reads the body (receive.ts), or refused before he has sent it.
  server.on('checkContinue', take);
  server.on('checkExpectation', take);
  return server;
}

function makeServer({ settings, certificate, log }: ServerParts): Server {
  const options = { ...strictness, ...patience(settings['upload-timeout']) };
  if (certificate === undefined) {
    if (talksOpenly(settings)) log.warn(openTalk);
    return createServer(options);
  }
  const server = createSecureServer({ ...options, ...certificate.options, handshakeTimeout: 15_000 });
  keepCertificateFresh(server, certificate, { log });
  return server;
}

const fewDescriptors =
  'this process may open too few files for the setting connections, so fewer are taken; raise its limit (ulimit -n, LimitNOFILE)';

const openTalk =
  'keys and documents cross the network unencrypted; set tls-cert and tls-key, or listen on 127.0.0.1 behind a proxy that speaks TLS';

/** `insecureHTTPParser` is written down so that no switch of the command line turns it on. */
const strictness = { insecureHTTPParser: false, requireHostHeader: false, maxHeaderSize: 16_384 };

/**
 * A connection that never finishes its headers is ended, and one whose body does not end: conversions look after theirs
 * themselves, a little earlier, because their records must be closed.
 */
function patience(uploadTimeout: number): ServerOptions {
  return {
    headersTimeout: 30_000,
    requestTimeout: uploadTimeout + 60_000,
    connectionsCheckingInterval: 2000,
    keepAliveTimeout: 65_000,
  };
}
