/** Whether the service could listen where it is to, or does so already; and who can knock there. */
import { createServer } from 'node:net';
import { takeAddress } from '../../../preflight/take-address.ts';
import { demoIsExposed } from '../../../settings/demo.ts';
import { talksOpenly } from '../../../settings/exposure.ts';
import type { LoadedSettings } from '../../../settings/load.ts';
import { addressOf, askOwn } from '../../own-address.ts';
import type { ConfigCheck, Warned } from '../check-of.ts';

export const address: ConfigCheck = {
  name: 'address',
  async run({ settings, user }) {
    const { host, port } = settings;
    const server = createServer();
    try {
      await takeAddress(server, { host, port });
      await new Promise((resolve) => server.close(resolve));
    } catch (problem) {
      if (user === undefined || (await askOwn(settings, '/health')) === undefined) throw problem;
      return exposed(settings, `${addressOf(settings)} is that of the service that runs, process ${user}.`);
    }
    const where = port === 0 ? `Any free port on ${host} will do` : `Port ${port} on ${host} is free`;
    return exposed(settings, `${where}.`);
  },
};

function exposed(settings: LoadedSettings, well: string): string | Warned {
  if (demoIsExposed(settings))
    return { warning: `${well} Everybody who reaches it knows the demo account's key; set demo to off.` };
  if (settings['tls-cert'] !== undefined || !talksOpenly(settings)) return well;
  return {
    warning: `${well} Keys and documents can be read on the way there: set tls-cert, or base-url to the https address of a proxy in front.`,
  };
}
