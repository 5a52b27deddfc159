/** A caller who writes his own bytes, and reads what comes until the connection ends. */
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

export interface Answer {
  readonly status: number;
  /** Lower-case names; of several, the last. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Target {
  readonly url: string;
}

export function openConnection({ url }: Target): Socket {
  const { hostname, port, protocol } = new URL(url);
  const options = { host: hostname, port: Number(port), rejectUnauthorized: false };
  return (protocol === 'https:' ? connectSecurely(options) : connect(options)).on('error', () => {});
}

/** Sends the parts, each as bytes of its own, and resolves with all that came when the other side has closed. */
export async function converse(target: Target, ...parts: readonly string[]): Promise<string> {
  const socket = openConnection(target);
  const said = readAll(socket);
  for (const part of parts)
    await new Promise((resolve) => socket.write(Buffer.from(part, 'latin1'), resolve));
  return said;
}

export function readAll(socket: Socket): Promise<string> {
  let said = '';
  return new Promise((resolve) => {
    socket
      .on('data', (bytes: Buffer) => (said += bytes.toString('latin1')))
      .on('end', () => socket.end())
      .on('close', () => {
        resolve(said);
      });
  });
}

/** Every answer in what was said, by their lengths. */
export function answersIn(said: string): Answer[] {
  const answers: Answer[] = [];
  for (let rest = said; rest !== '';) {
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
