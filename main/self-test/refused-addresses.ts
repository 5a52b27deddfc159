/** Whether pages are kept from where no page may go: the machine itself, the cloud's metadata, files. */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from '../failure/failure.ts';
import { targetOfUrl } from '../network/host.ts';
import { judge } from '../network/policy.ts';
import { pageTexts } from '../output/reading/page-texts.ts';
import { convertOwn, ownDocument } from '../own-job.ts';
import { networkRules } from '../settings/network-rules.ts';
import { ownJob, type Check, type Trial } from './check.ts';
import { listed } from './fonts.ts';

interface Place {
  readonly what: string;
  readonly url: string;
}

/** RFC 3927; where clouds tell a machine its secrets. */
const metadata: Place = { what: 'the metadata of clouds', url: 'http://169.254.169.254/latest/meta-data/' };

export const refusedAddresses: Check = {
  name: 'refused addresses',
  advice:
    'Convert only pages you trust until it is mended, and keep the machine from reaching what they must not.',
  async run(trial) {
    await using listener = await listen();
    await using file = await writeSecret(trial.workFolder);
    const places = [
      metadata,
      { what: 'other programs on this machine', url: listener.url },
      ...service(trial),
    ];
    const allowed = places.filter((place) => isAllowed(place, trial));
    const refused = places.filter((place) => !allowed.includes(place));
    for (const { url } of refused) await expectRefused(url, trial);
    const urls = refused.map(({ url }) => url);
    const shown = await tryToShow([...urls, file.url], trial);
    if ([listener.secret, file.secret].some((secret) => shown.includes(secret)))
      throw new Error('a page could read a file, or what a program on this machine answers');
    if (urls.includes(listener.url) && listener.touched())
      throw new Error('a page reached a program that listens on this machine');
    if (!shown.startsWith('Page'))
      return {
        warning: 'What a page shows of refused addresses could not be looked at: its text has not come out.',
      };
    const kept = `Pages were kept from ${namesOf([...refused, { what: 'files' }])}`;
    if (allowed.length === 0) return `${kept}.`;
    return { warning: `${kept}; network-allow lets them reach ${namesOf(allowed)}.` };
  },
};

function namesOf(places: readonly Pick<Place, 'what'>[]): string {
  return listed(places.map(({ what }) => what));
}

function service({ servicePort }: Trial): Place[] {
  const port = servicePort();
  return port === undefined ? [] : [{ what: 'this service', url: `http://127.0.0.1:${port}/health` }];
}

/** Whether an exception of the operator's lets it through; without one nothing here may pass, whatever the rules make of it. */
function isAllowed({ url }: Place, { settings, servicePort }: Trial): boolean {
  const target = targetOfUrl(new URL(url));
  const rules = networkRules(settings);
  const own = { addresses: new Set<string>(), guards: new Set<number>(), service: servicePort() };
  if (target === undefined || rules.allow.length === 0) return false;
  return judge(rules, { ...target, address: target.host }, own).allowed;
}

async function expectRefused(url: string, trial: Trial): Promise<void> {
  const source = { kind: 'remote', url: new URL(url), scripts: true, strips: {} } as const;
  try {
    await convertOwn({ ...ownJob(trial), source }, trial);
  } catch (problem) {
    if (problem instanceof Failure && problem.kind === 'addressRefused') return;
    throw problem;
  }
  throw new Error(`what is at ${url} was converted`);
}

/** The text of a page that tries in every way to show what is at these addresses. */
async function tryToShow(urls: readonly string[], trial: Trial): Promise<string> {
  const html = `<!DOCTYPE html><p>Page<pre id="got"></pre>
${urls.map((url) => `<iframe src="${url}"></iframe><img src="${url}"><object data="${url}"></object>`).join('')}
<script>for (const url of ${JSON.stringify(urls)}) fetch(url).then((answer) => answer.text()).then((text) => { got.textContent += text }, () => {})</script>`;
  const source = ownDocument(html, { scripts: true, strips: {} });
  const { bytes } = await convertOwn({ ...ownJob(trial), source }, trial);
  return (await pageTexts(bytes)).join('');
}

interface Listener extends AsyncDisposable {
  readonly url: string;
  readonly secret: string;
  readonly touched: () => boolean;
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
    ...{ secret, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` },
    touched: () => connections > 0,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function writeSecret(folder: string) {
  const secret = randomUUID();
  const path = join(folder, `self-test-${secret}.html`);
  await writeFile(path, secret, { mode: 0o600 });
  return { url: pathToFileURL(path).href, secret, [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}
