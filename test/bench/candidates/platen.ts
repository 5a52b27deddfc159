/** The candidate `platen`: launcher and service with a new data folder, called over HTTP with a password. */
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import { startService } from '../../support/service/service.ts';
import { urlOf } from '../documents/document-server.ts';
import type { BenchDocument } from '../documents/document.ts';
import { runLap } from '../lap.ts';
import type { Candidate, Preparation } from './candidate.ts';
import { openHttpClient, type PostRequest } from './http-client.ts';

export interface Platen extends Candidate {
  readonly url: string;
  /** The path of the service log, in JSON lines. */
  readonly logFile: string;
}

export function isPlaten(candidate: Candidate): candidate is Platen {
  return 'logFile' in candidate;
}

const name = 'bench';
const authorization = `Basic ${Buffer.from(`${name}:${name}`).toString('base64')}`;

export async function startPlaten({ workers, folder }: Preparation): Promise<Platen> {
  const data = join(folder, 'platen');
  const log = ['--log-file', 'platen.log', '--log-file-size', '10GB'];
  // Long timeouts, because the time that jobs wait is measured too.
  const timeoutFlags = ['--queue-timeout', '1h', '--job-timeout', '10m'];
  const access = ['--accounts', `${name}:${name}`, '--network-allow', '127.0.0.1'];
  const flags = ['--workers', String(workers), ...access, ...timeoutFlags, ...log];
  const service = await startService({ data, flags });
  const client = openHttpClient();
  const bodies = new Map<string, PostRequest>();
  const requestFor = async (document: BenchDocument) => {
    const known = bodies.get(document.name) ?? (await createRequest(service.url, document));
    bodies.set(document.name, known);
    return known;
  };
  return {
    name: 'platen',
    engine: 'Chromium',
    url: service.url,
    logFile: join(data, 'platen.log'),
    pid: service.process.pid ?? 0,
    supports: () => true,
    convert: async (document) => client.post(await requestFor(document)),
    async run(document, load) {
      const posted = await requestFor(document);
      return await runLap(() => client.post(posted), load);
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

async function createRequest(url: string, document: BenchDocument): Promise<PostRequest> {
  const { html, expected, by, fields = {} } = document;
  const form = new FormData();
  if (by === 'url') form.append('url', await urlOf(document));
  else if (by === 'archive')
    form.append('file', new File([Uint8Array.from(archiveOf(document))], 'document.zip'));
  else form.append('text', html);
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  if (expected.kind === 'image') {
    form.append('output_format', 'png');
    form.append('screenshot_width', String(expected.width));
    if (!expected.whole) form.append('screenshot_height', String(expected.height));
  } else if (expected.footer) form.append('footer_html', footer);
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  const headers = { authorization, 'content-type': type };
  return { url: `${url}/convert/24.04/`, headers, body: Buffer.from(await encoded.arrayBuffer()) };
}

function archiveOf({ html, files = {} }: BenchDocument): Buffer {
  const zip = new AdmZip();
  zip.addFile('index.html', Buffer.from(html));
  for (const [path, bytes] of Object.entries(files)) zip.addFile(path, bytes);
  return zip.toBuffer();
}

const footer =
  '<div style="text-align:center">Page <span class="service-page-number"></span> of <span class="service-page-count"></span></div>';
