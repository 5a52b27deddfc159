/** Whether the proxy pages are loaded through can be reached. */
import { connect } from 'node:net';
import type { ConfigCheck } from '../check-of.ts';

/** Milliseconds. */
const patience = 5000;

export const upstreamProxy: ConfigCheck = {
  name: 'upstream proxy',
  async run({ settings }) {
    const proxy = settings['upstream-proxy'];
    if (proxy === undefined) return undefined;
    const { hostname, port } = new URL(proxy);
    const where = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
    const problem = await problemOf(where);
    const shown = `${hostname}:${where.port}`;
    if (problem === undefined) return `${shown} takes connections.`;
    // The service would start, and converts what needs no network.
    return {
      warning: `${shown} cannot be reached now (${problem}), so no page can be loaded; see upstream-proxy.`,
    };
  },
};

function problemOf(where: { readonly host: string; readonly port: number }): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ ...where, timeout: patience });
    const end = (problem?: string) => {
      socket.destroy();
      resolve(problem);
    };
    socket.once('connect', () => {
      end();
    });
    socket.once('timeout', () => {
      end('no answer');
    });
    socket.once('error', (problem: NodeJS.ErrnoException) => {
      end(problem.code ?? problem.message);
    });
  });
}
