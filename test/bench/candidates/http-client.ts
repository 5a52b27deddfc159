/** Posts jobs to a service on this machine over keep-alive connections, as a program that sends many jobs does. */
import { Agent, request } from 'node:http';

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface HttpClient extends Disposable {
  /** Returns the body of the response. @throws Error with the status and text of the response if the status is not 200 */
  readonly post: (posted: PostRequest) => Promise<Buffer>;
}

export function openHttpClient(): HttpClient {
  const agent = new Agent({ keepAlive: true });
  return {
    async post(posted) {
      try {
        return await post(posted, agent);
      } catch (problem) {
        if (!(problem instanceof ConnectionClosedError)) throw problem;
        return await post(posted, agent);
      }
    },
    [Symbol.dispose]() {
      agent.destroy();
    },
  };
}

/**
 * Thrown if the server closes an idle keep-alive connection while the next request is being sent. The client sends the request
 * again.
 */
class ConnectionClosedError extends Error {}

function post({ url, headers, body }: PostRequest, agent: Agent): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': String(body.length) };
    const sent = request(url, { method: 'POST', headers: { ...headers, ...length }, agent });
    sent.once('error', (problem: NodeJS.ErrnoException) => {
      const isClosed = sent.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(problem.code ?? '');
      reject(isClosed ? new ConnectionClosedError(problem.message, { cause: problem }) : problem);
    });
    sent.once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', reject);
      response.once('end', () => {
        const whole = Buffer.concat(parts);
        if (response.statusCode === 200) resolve(whole);
        else reject(new Error(`${String(response.statusCode)}: ${whole.toString('utf8', 0, 500)}`));
      });
    });
    sent.end(body);
  });
}
