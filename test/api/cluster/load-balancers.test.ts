/** Two nodes behind HAProxy and nginx, with the configurations of docs/cluster/. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setDraining } from '../../../main/accounts/nodes/node-records.ts';
import { zip } from '../../support/archives/zip-writer.ts';
import { balancerMissing, startBalancer, type LoadBalancer } from '../../support/cluster/load-balancer.ts';
import { startNodes, type RunningNodes } from '../../support/cluster/nodes.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { serveWeb } from '../../support/servers/web-server.ts';
import { send } from '../../support/service/convert.ts';
import { basic } from '../../support/service/job-record.ts';
import { waitUntil } from '../../support/wait-until.ts';

const authorization = basic('ann');
const balancerNames = ['haproxy', 'nginx'] as const;

describe('Two nodes behind a load balancer', { skip: postgresMissing }, () => {
  let cluster: RunningNodes;
  const balancers = new Map<string, LoadBalancer>();
  before(async () => {
    const accounts = ['--accounts', 'ann:key:100000', '--network-allow', '127.0.0.1'];
    cluster = await startNodes(['left', 'right'], [...accounts, '--workers', '5']);
    const ports = cluster.nodes.map(({ port }) => port);
    for (const name of balancerNames)
      if (balancerMissing(name) === undefined) balancers.set(name, await startBalancer(name, ports));
  });
  after(async () => {
    for (const balancer of balancers.values()) await balancer[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  /** Defines the same test for each balancer. */
  function testEach(title: string, run: (balancer: LoadBalancer, name: string) => Promise<void>): void {
    for (const name of balancerNames)
      test(`${name} ${title}`, { skip: balancerMissing(name) ?? false }, async () => {
        const balancer = balancers.get(name);
        assert.ok(balancer);
        await run(balancer, name);
      });
  }

  async function nodesOf(tag: string): Promise<readonly (string | undefined)[]> {
    const jobs = await cluster.jobsTagged(tag);
    return jobs.map(({ node_id }) => cluster.nameOf(node_id));
  }

  testEach('passes a conversion with all headers of the service', async (balancer) => {
    const [left] = cluster.nodes;
    assert.ok(left);
    const direct = await send(left, { text: 'direct' }, { authorization });
    const passed = await send(balancer, { text: 'passed' }, { authorization });
    assert.deepEqual([passed.status, pdfText(passed.body)], [200, 'passed']);
    // RFC 9110, 7.6.1: a proxy replaces these headers of the connection.
    const ofConnection = ['connection', 'keep-alive', 'server'];
    const names = (headers: Headers) => [...headers.keys()].filter((name) => !ofConnection.includes(name));
    assert.deepEqual(names(passed.headers), names(direct.headers));
  });

  testEach('passes errors of the service with their messages', async (balancer) => {
    const refused = await send(balancer, { text: 'x', page_size: 'A99' }, { authorization });
    assert.deepEqual([refused.status, refused.headers.get('x-service-reason-code')], [400, '311']);
    assert.match(refused.body.toString(), /^400\.311 - .*page_size/);
    const wrongKey = await send(balancer, { text: 'x' }, { authorization: basic('ann', 'wrong') });
    assert.deepEqual([wrongKey.status, wrongKey.headers.has('www-authenticate')], [401, true]);
  });

  testEach('passes an upload of 100 MB', async (balancer) => {
    const archive = zip([
      { name: 'index.html', contents: '<p>after a large upload' },
      { name: 'photos.bin', contents: randomBytes(100_000_000), method: 0 },
    ]);
    const file = new File([new Uint8Array(archive)], 'site.zip');
    const { status, body } = await send(balancer, { file }, { authorization });
    assert.deepEqual([status, pdfText(body)], [200, 'after a large upload']);
  });

  testEach('ends the job of a caller who disconnects', async (balancer, name) => {
    await using web = await serveWeb({ '/': () => {} });
    const disconnect = new AbortController();
    const tag = `${name} disconnects`;
    const sending = send(balancer, { url: web.url, tag }, { authorization, signal: disconnect.signal });
    await waitUntil('the page is requested', () => web.requestedPaths.length > 0);
    disconnect.abort();
    await assert.rejects(sending);
    await waitUntil('the job ends', async () => {
      const jobs = await cluster.jobsTagged(tag);
      return jobs.length === 1 && jobs[0]?.outcome === 'caller gone';
    });
  });

  test('haproxy sends no requests to a draining node', { skip: balancerMissing('haproxy') }, async () => {
    const balancer = balancers.get('haproxy');
    assert.ok(balancer);
    await setDraining(cluster.database, 'left', true);
    const [left] = cluster.nodes;
    await waitUntil('the node drains', async () => (await fetch(`${left?.url ?? ''}/ready`)).status === 503);
    await waitUntil('haproxy has noticed it', async () => await convertsOnlyOn(balancer, 'right'));
    for (let count = 0; count < 10; count += 1)
      await send(balancer, { text: 'x', tag: 'draining' }, { authorization });
    assert.deepEqual(await nodesOf('draining'), Array(10).fill('right'));
    await setDraining(cluster.database, 'left', false);
    await waitUntil('the node is used again', async () => await isUsed(balancer, 'left'));
  });

  let probes = 0;

  /** Sends four requests and returns whether all of them ran on the node. */
  async function convertsOnlyOn(balancer: LoadBalancer, node: string): Promise<boolean> {
    const tag = `probe ${(probes += 1)}`;
    for (let count = 0; count < 4; count += 1) await send(balancer, { text: 'x', tag }, { authorization });
    return (await nodesOf(tag)).every((name) => name === node);
  }

  async function isUsed(balancer: LoadBalancer, node: string): Promise<boolean> {
    const tag = `probe ${(probes += 1)}`;
    await Promise.all([1, 2, 3, 4].map(() => send(balancer, { text: 'x', tag }, { authorization })));
    return (await nodesOf(tag)).includes(node);
  }

  /** Waits for a condition while nginx reloads. nginx then closes idle connections, even if a request is being sent on one. */
  async function waitDuringReload(what: string, isDone: () => Promise<boolean>): Promise<void> {
    await waitUntil(what, async () =>
      isDone().catch((error: unknown) => {
        if (error instanceof TypeError && error.message === 'fetch failed') return false;
        throw error;
      }),
    );
  }

  test(
    'nginx sends no requests to a node that is marked as down',
    { skip: balancerMissing('nginx') },
    async () => {
      const balancer = balancers.get('nginx');
      assert.ok(balancer);
      balancer.markDown([cluster.nodes[0]?.port ?? 0]);
      await waitDuringReload('nginx has reloaded', async () => await convertsOnlyOn(balancer, 'right'));
      for (let count = 0; count < 10; count += 1)
        await send(balancer, { text: 'x', tag: 'down' }, { authorization });
      assert.deepEqual(await nodesOf('down'), Array(10).fill('right'));
      balancer.markDown([]);
      await waitDuringReload('the node is used again', async () => await isUsed(balancer, 'left'));
    },
  );

  test('a killed node loses only its running jobs, and no request is sent twice', async (context) => {
    if (balancers.size === 0) {
      context.skip(balancerMissing('haproxy'));
      return;
    }
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await using web = await serveWeb(
      Object.fromEntries(
        [...balancers.keys()].flatMap((name) =>
          [1, 2].map((count) => [
            `/${name}-${count}`,
            (_request, response) => void released.then(() => response.end('<p>released')),
          ]),
        ),
      ),
    );
    const sending = [...balancers].flatMap(([name, balancer]) =>
      [1, 2].map(async (count) => {
        const path = `/${name}-${count}`;
        const answer = await send(balancer, { url: `${web.url}${path}`, tag: path }, { authorization });
        return { path, ...answer };
      }),
    );
    await waitUntil('all pages are requested', () => web.requestedPaths.length === sending.length);
    const [held] = await cluster.jobsTagged(`/${[...balancers.keys()][0] ?? ''}-1`);
    const victim = cluster.nodes.find(({ name }) => name === cluster.nameOf(held?.node_id ?? null));
    assert.ok(victim);
    const survivor = victim.name === 'left' ? 'right' : 'left';
    await victim.kill();
    for (const [name, balancer] of balancers) {
      const tag = `${name} after the kill`;
      const answers = [];
      for (let count = 0; count < 10; count += 1)
        answers.push(await send(balancer, { text: 'x', tag }, { authorization }));
      assert.deepEqual(
        answers.map(({ status, body }) => (status === 200 ? status : body.toString())),
        Array(10).fill(200),
        tag,
      );
      assert.deepEqual(await nodesOf(tag), Array(10).fill(survivor), tag);
    }
    release();
    for (const { path, status, body } of await Promise.all(sending)) {
      const jobs = await cluster.jobsTagged(path);
      assert.equal(jobs.length, 1, path);
      const wasKilled: boolean = cluster.nameOf(jobs[0]?.node_id ?? null) === victim.name;
      assert.equal(status, wasKilled ? 502 : 200, path);
      if (!wasKilled) assert.equal(pdfText(body), 'released', path);
    }
    assert.equal(new Set(web.requestedPaths).size, web.requestedPaths.length, 'a page was requested twice');
  });
});
