/** The check that pages cannot reach local files, the machine itself or cloud metadata. */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from '../failure/failure.ts';
import { targetOfUrl } from '../network/host-name.ts';
import { checkDestination } from '../network/policy.ts';
import { pageTexts } from '../output/pdf-reader/page-texts.ts';
import { convertInternal, inlineSource } from '../converter/internal-job.ts';
import { networkRules } from '../settings/network-rules.ts';
import { internalJob, type Check, type CheckContext } from './check.ts';
import { listed } from './fonts.ts';

interface RefusedTarget {
  readonly target: string;
  readonly url: string;
}

/** The link-local address (RFC 3927) from which machines in a cloud read their credentials. */
const metadata: RefusedTarget = {
  target: 'cloud metadata',
  url: 'http://169.254.169.254/latest/meta-data/',
};

export const refusedAddresses: Check = {
  name: 'refused addresses',
  advice:
    'Convert only trusted pages until a version that passes is installed, and block these addresses with a firewall on this machine.',
  async run(context) {
    await using listener = await listen();
    await using file = await writeSecretFile(context.workFolder);
    const targets = [
      metadata,
      { target: 'other programs on this machine', url: listener.url },
      ...serviceTarget(context),
    ];
    const allowed = targets.filter((target) => isAllowed(target, context));
    const refused = targets.filter((target) => !allowed.includes(target));
    for (const { url } of refused) await expectRefused(url, context);
    const urls = refused.map(({ url }) => url);
    const shown = await textWithAddresses([...urls, file.url], context);
    if ([listener.secret, file.secret].some((secret) => shown.includes(secret)))
      throw new Error('a page could read a file, or the response of a program on this machine');
    if (urls.includes(listener.url) && listener.hasConnections())
      throw new Error('a page reached a program that listens on this machine');
    if (!shown.startsWith('Page'))
      return {
        warning: 'The check of embedded addresses gave no result: the text of its test page was not printed.',
      };
    const blocked = `Pages cannot reach ${namesOf([...refused, { target: 'files' }])}`;
    if (allowed.length === 0) return `${blocked}.`;
    return { warning: `${blocked}; network-allow lets them reach ${namesOf(allowed)}.` };
  },
};

function namesOf(targets: readonly Pick<RefusedTarget, 'target'>[]): string {
  return listed(targets.map(({ target }) => target));
}

function serviceTarget({ servicePort }: CheckContext): RefusedTarget[] {
  const port = servicePort();
  return port === undefined ? [] : [{ target: 'this service', url: `http://127.0.0.1:${port}/health` }];
}

/** Returns whether an exception in network-allow allows the address. Without exceptions, none of these addresses may be allowed. */
function isAllowed({ url }: RefusedTarget, { settings, servicePort }: CheckContext): boolean {
  const target = targetOfUrl(new URL(url));
  const rules = networkRules(settings);
  const ownAddresses = { addresses: new Set<string>(), guards: new Set<number>(), service: servicePort() };
  if (target === undefined || rules.allow.length === 0) return false;
  return checkDestination(rules, { ...target, address: target.host }, ownAddresses).allowed;
}

async function expectRefused(url: string, context: CheckContext): Promise<void> {
  const source = { kind: 'remote', url: new URL(url), scripts: true, headerFooter: {} } as const;
  try {
    await convertInternal({ ...internalJob(context), source }, context);
  } catch (problem) {
    if (problem instanceof Failure && problem.kind === 'addressRefused') return;
    throw problem;
  }
  throw new Error(`${url} was converted instead of refused`);
}

/** Returns the text of a page that tries to show the content of the addresses in every possible way. */
async function textWithAddresses(urls: readonly string[], context: CheckContext): Promise<string> {
  const html = `<!DOCTYPE html><p>Page<pre id="got"></pre>
${urls.map((url) => `<iframe src="${url}"></iframe><img src="${url}"><object data="${url}"></object>`).join('')}
<script>for (const url of ${JSON.stringify(urls)}) fetch(url).then((response) => response.text()).then((text) => { got.textContent += text }, () => {})</script>`;
  const source = inlineSource(html, { scripts: true, headerFooter: {} });
  const { bytes } = await convertInternal({ ...internalJob(context), source }, context);
  return (await pageTexts(bytes)).join('');
}

interface Listener extends AsyncDisposable {
  readonly url: string;
  readonly secret: string;
  readonly hasConnections: () => boolean;
}

async function listen(): Promise<Listener> {
  const secret = randomUUID();
  let connections = 0;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' }).end(secret);
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    secret,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    hasConnections: () => connections > 0,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function writeSecretFile(folder: string) {
  const secret = randomUUID();
  const path = join(folder, `self-test-${secret}.html`);
  await writeFile(path, secret, { mode: 0o600 });
  return { url: pathToFileURL(path).href, secret, [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}
