/** A TCP proxy in front of a server, whose connections a test can break, refuse or let hang. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** From now on, the proxy accepts connections and data, but forwards and answers nothing. */
  readonly swallow: () => void;
  /** From now on, the proxy accepts connections, but forwards and answers nothing on these. */
  readonly swallowNew: () => void;
  /** From now on, the proxy forwards again. Connections that hung stay as they are. */
  readonly forward: () => void;
}

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  let isSwallowing = false;
  let isSwallowingNew = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (isSwallowingNew) {
      sockets.add(client.on('error', () => {}));
      return;
    }
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => sockets.delete(socket));
    }
    client.on('data', (data) => !isSwallowing && upstream.write(data));
    upstream.on('data', (data) => !isSwallowing && client.write(data));
    client.once('close', () => !isSwallowing && upstream.destroy());
    upstream.once('close', () => !isSwallowing && client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    swallow() {
      isSwallowing = true;
    },
    swallowNew() {
      isSwallowingNew = true;
    },
    forward() {
      isSwallowing = false;
      isSwallowingNew = false;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
