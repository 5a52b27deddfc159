/** The backup of docs/cluster.md: pg_dump of a database in use, and a node that starts on the restored database. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { startNodes, startNode } from '../../support/cluster/nodes.ts';
import { emptyPostgresDatabase } from '../../support/postgres/databases.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { send } from '../../support/service/convert.ts';
import { basic, listJobs } from '../../support/service/job-record.ts';
import { temporaryFolder } from '../../support/service/service.ts';
import { serveWeb } from '../../support/servers/web-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

const isMissing = spawnSync('pg_restore', ['--version']).error !== undefined;
const skip = postgresMissing || (isMissing && 'pg_restore is not installed (Debian: postgresql-client)');

function run(program: string, ...words: string[]): void {
  const { status, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

test('a database that was dumped while a job ran works after it was restored', { skip }, async () => {
  const authorization = basic('ann');
  const folder = temporaryFolder();
  const dump = join(folder, 'platen.dump');
  await using restored = await emptyPostgresDatabase();
  await using web = await serveWeb({ '/': () => {} });
  {
    const flags = ['--accounts', 'ann:key:100', '--network-allow', '127.0.0.1', '--workers', '1'];
    await using cluster = await startNodes(['first'], flags);
    const [node] = cluster.nodes;
    assert.ok(node);
    assert.equal((await send(node, { text: 'x', tag: 'done' }, { authorization })).status, 200);
    const disconnect = new AbortController();
    const fields = { url: web.url, tag: 'running' };
    const sending = send(node, fields, { authorization, signal: disconnect.signal });
    await waitUntil('the job runs', () => web.requestedPaths.length > 0);
    run('pg_dump', '--format=custom', `--file=${dump}`, cluster.url);
    disconnect.abort();
    await assert.rejects(sending);
  }
  run('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${restored.url}`, dump);
  await using node = await startNode('second', restored.url, ['--workers', '1']);
  const { headers } = await send(node, { text: 'y', tag: 'after' }, { authorization });
  // One job was charged before the backup, and one runs in it until its node is given up.
  assert.ok(['97', '98'].includes(headers.get('x-service-remaining-credits') ?? ''));
  await waitUntil('the job of the backup is given back', async () => {
    const { jobs } = await listJobs(node, authorization);
    return jobs.find(({ tag }) => tag === 'running')?.outcome === 'interrupted';
  });
  const last = await send(node, { text: 'z' }, { authorization });
  assert.equal(last.headers.get('x-service-remaining-credits'), '97');
});
