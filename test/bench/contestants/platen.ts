/** Platen in its usual set-up: launcher and service on a new data folder, called over HTTP with a password. */
import { join } from 'node:path';
import { startService } from '../../support/service.ts';
import { addressOf } from '../documents/at-address.ts';
import type { BenchDocument } from '../documents/document.ts';
import { runLap } from '../lap.ts';
import type { Contestant, Preparation } from './contestant.ts';
import { openPoster, type Posted } from './poster.ts';

export interface Platen extends Contestant {
  readonly url: string;
  /** Its log in JSON lines. */
  readonly logFile: string;
}

export function isPlaten(contestant: Contestant): contestant is Platen {
  return 'logFile' in contestant;
}

const name = 'bench';
const authorization = `Basic ${Buffer.from(`${name}:${name}`).toString('base64')}`;

export async function startPlaten({ workers, folder }: Preparation): Promise<Platen> {
  const data = join(folder, 'platen');
  const log = ['--log-file', 'platen.log', '--log-file-size', '10GB'];
  // The waiting time is measured, so it must not be limited.
  const waits = ['--queue-timeout', '1h', '--job-timeout', '10m'];
  const access = ['--accounts', `${name}:${name}`, '--network-allow', '127.0.0.1'];
  const flags = ['--workers', String(workers), ...access, ...waits, ...log];
  const service = await startService({ data, flags });
  const poster = openPoster();
  const bodies = new Map<string, Posted>();
  const order = async (document: BenchDocument) => {
    const known = bodies.get(document.name) ?? (await orderOf(service.url, document));
    bodies.set(document.name, known);
    return known;
  };
  return {
    ...{ name: 'platen', engine: 'Chromium', url: service.url, logFile: join(data, 'platen.log') },
    pid: service.process.pid ?? 0,
    supports: () => true,
    convert: async (document) => poster.post(await order(document)),
    async run(document, load) {
      const posted = await order(document);
      return await runLap(() => poster.post(posted), load);
    },
    async [Symbol.asyncDispose]() {
      poster[Symbol.dispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

async function orderOf(url: string, document: BenchDocument): Promise<Posted> {
  const { html, wanted, atAddress } = document;
  const form = new FormData();
  if (atAddress) form.append('url', await addressOf(document));
  else form.append('text', html);
  if (wanted.kind === 'picture') {
    form.append('output_format', 'png');
    form.append('screenshot_width', String(wanted.width));
    if (!wanted.whole) form.append('screenshot_height', String(wanted.height));
  } else if (wanted.footer) form.append('footer_html', footer);
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  const headers = { authorization, 'content-type': type };
  return { url: `${url}/convert/24.04/`, headers, body: Buffer.from(await encoded.arrayBuffer()) };
}

const footer =
  '<div style="text-align:center">Page <span class="service-page-number"></span> of <span class="service-page-count"></span></div>';
