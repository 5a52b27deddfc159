/** Sends raw bytes to a server, and reads until the connection closes. */
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

export interface RawResponse {
  readonly status: number;
  /** By lower-case name; the last value of a repeated header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function openConnection({ url }: { readonly url: string }): Socket {
  const { hostname, port, protocol } = new URL(url);
  const options = { host: hostname, port: Number(port), rejectUnauthorized: false };
  return (protocol === 'https:' ? connectSecurely(options) : connect(options)).on('error', () => {});
}

/** Sends each part as a separate write, and resolves with the received bytes when the server closes the connection. */
export async function sendRaw(
  target: { readonly url: string },
  ...parts: readonly string[]
): Promise<string> {
  const socket = openConnection(target);
  const received = readAll(socket);
  for (const part of parts)
    await new Promise((resolve) => socket.write(Buffer.from(part, 'latin1'), resolve));
  return received;
}

export function readAll(socket: Socket): Promise<string> {
  let received = '';
  return new Promise((resolve) => {
    socket
      .on('data', (bytes: Buffer) => (received += bytes.toString('latin1')))
      .on('end', () => socket.end())
      .on('close', () => {
        resolve(received);
      });
  });
}

/** Splits the received text into responses, according to their Content-Length. */
export function parseResponses(received: string): RawResponse[] {
  const answers: RawResponse[] = [];
  for (let rest = received; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    const [line = '', ...lines] = rest.slice(0, end < 0 ? undefined : end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((header) => {
        const colon = header.indexOf(':');
        return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
      }),
    );
    const start = end < 0 ? rest.length : end + 4;
    const length = Number(headers['content-length'] ?? 0);
    answers.push({ status: Number(line.split(' ')[1]), headers, body: rest.slice(start, start + length) });
    rest = rest.slice(start + length);
  }
  return answers;
}
