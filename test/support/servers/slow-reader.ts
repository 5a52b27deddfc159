/** A client that requests an output larger than the socket buffers, and stops reading until the test resumes it. */
import { connect, type Socket } from 'node:net';
import type { Service } from '../service/service.ts';

/** A request whose output has about 31 MB and costs 64 credits. */
export const large = {
  text: '<body style="margin:0"><div style="height:7000px">x',
  output_format: 'ppm',
  screenshot_width: '1500',
};

interface SlowResponse {
  readonly socket: Socket;
  /** The headers and the first bytes of the response. */
  readonly head: string;
  /** Resumes reading, and resolves with the length of the body when it is complete. */
  readonly body: () => Promise<number>;
}

/** Requests the large output over a separate connection, and reads only the first bytes of the response. */
export async function openSlowReader(
  service: Pick<Service, 'url'>,
  authorization: string,
  options: Readonly<Record<string, string>> = {},
): Promise<SlowResponse> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const form = new URLSearchParams({ ...large, ...options }).toString();
  const head = [
    'POST /convert/24.04/ HTTP/1.1',
    `host: ${hostname}:${port}`,
    `authorization: ${authorization}`,
  ];
  const type = 'content-type: application/x-www-form-urlencoded';
  socket.write([...head, type, `content-length: ${form.length}`, '', form].join('\r\n'));
  const first = await new Promise<Buffer>((resolve) => {
    socket.once('data', (bytes: Buffer) => {
      socket.pause();
      resolve(bytes);
    });
  });
  const start = first.indexOf('\r\n\r\n') + 4;
  const size = Number(/content-length: (\d+)/i.exec(first.toString('latin1'))?.[1]);
  const body = () =>
    new Promise<number>((resolve) => {
      let read = first.length - start;
      socket.on('data', (bytes: Buffer) => {
        read += bytes.length;
        if (read >= size) resolve(read);
      });
      socket.resume();
    });
  return { socket, body, head: first.subarray(0, start).toString('latin1') };
}
