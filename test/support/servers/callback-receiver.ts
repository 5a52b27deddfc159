/** A receiver of callbacks on loopback, which verifies each signature with the reference package. */
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { serveWeb, type WebServer } from './web-server.ts';

export interface ReceivedCallback {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** By the clock of this process, in milliseconds since 1970. */
  readonly at: number;
}

export interface CallbackReceiver extends WebServer {
  /** The callbacks in order. Their signatures are valid. */
  readonly received: readonly ReceivedCallback[];
  /** What did not have a valid signature. */
  readonly problems: readonly unknown[];
}

/** Answers the callback with this number, from 0. */
export type CallbackAnswer = (response: ServerResponse, number: number) => void;

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Starts a receiver at the path `/hook`. By default it answers with 204. */
export async function serveCallbackReceiver(
  secret: string,
  answer: CallbackAnswer = (response) => response.writeHead(204).end(),
  tls?: Parameters<typeof serveWeb>[1],
): Promise<CallbackReceiver> {
  const received: ReceivedCallback[] = [];
  const problems: unknown[] = [];
  const server = await serveWeb(
    {
      '/hook': (request, response) => {
        void text(request).then((body) => {
          try {
            assertSigned(secret, request.headers, body);
            received.push({ headers: request.headers, body, at: Date.now() });
          } catch (problem) {
            problems.push(problem);
          }
          answer(response, received.length - 1);
        });
      },
    },
    tls,
  );
  return { ...server, received, problems };
}

/** @throws Error if the signature is not valid by the reference package, or by the words of the specification */
function assertSigned(secret: string, headers: IncomingHttpHeaders, body: string): void {
  new Webhook(secret).verify(body, headers as Record<string, string>);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest('base64');
  assert.equal(headers['webhook-signature'], `v1,${expected}`);
}
