/** What asynchronous jobs leave on the disk, in the files of the service and of both kinds of databases. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newWebhookSecret } from '../../../main/accounts/keys.ts';
import { setWebhookSecrets } from '../../support/accounts/keyring.ts';
import { postgresMissing, runStatement } from '../../support/postgres/server.ts';
import {
  output,
  remove,
  submitted,
  waitForEnd,
  waitForState,
} from '../../support/service/asynchronous-job.ts';
import { htmlFile } from '../../support/service/convert.ts';
import { documentedDataFiles, readUnlessLocked } from '../../support/service/data-files.ts';
import { basic, get } from '../../support/service/job-record.ts';
import { startWithDatabase } from '../../support/service/service-databases.ts';
import { serveCallbackReceiver } from '../../support/servers/callback-receiver.ts';
import { waitUntil } from '../../support/wait-until.ts';

const mark = 'whale-song-4711';
const ann = basic('ann');
const flags = ['--accounts', 'ann:key', '--network-allow', '127.0.0.1', '--workers', '1'];

const secrets = {
  http_auth_user_name: 'user',
  http_auth_password: mark,
  cookies: `a=${mark}`,
  custom_http_header: `x-a: ${mark}`,
  user_password: mark,
};

for (const kind of ['sqlite', 'postgres'] as const)
  test(
    `with ${kind}, nothing of an asynchronous job is readable on the disk, neither before nor after its end`,
    {
      skip: kind === 'postgres' && postgresMissing,
    },
    async () => {
      const secret = newWebhookSecret();
      await using running = await startWithDatabase(kind, flags);
      const { service, database, keyring } = running;
      await setWebhookSecrets(database, secret, keyring);
      await using receiver = await serveCallbackReceiver(secret);
      const folders = [service.data, ...(kind === 'postgres' ? [await dataFolderOf(running.url)] : [])];
      const assertClean = async (when: string, words: readonly string[]) => {
        if (kind === 'postgres') await runStatement(running.url, 'CHECKPOINT');
        for (const word of words) assert.deepEqual(filesWith(word, folders), [], `${word} ${when}`);
      };
      // A page that never ends occupies the only window, so the others wait.
      const endless = await submitted(service, ann, { text: '<script>for (;;);</script>', tag: 'endless' });
      await waitForState(service, ann, { id: endless, states: ['running'] });
      const callback_url = `${receiver.url}/hook?token=${mark}`;
      const jobs = [
        await submitted(service, ann, { text: `<p>${mark}`, ...secrets, callback_url }),
        await submitted(service, ann, {
          // Large, but with few lines: thousands of pages take longer than the job timeout on a busy machine.
          file: htmlFile(`<p>${mark}<!--${mark.repeat(100_000)}-->`),
          ...secrets,
          callback_url,
        }),
        await submitted(service, ann, {
          text: '<p>{{a}}',
          rows: csv(`a\n${mark}\n`),
          ...secrets,
          callback_url,
        }),
      ];
      await waitUntil('the folders of the requests are deleted', () =>
        readdirSync(join(service.data, 'work')).every((name) => !name.endsWith('-request')),
      );
      await assertClean('while the jobs wait', [mark, secret]);
      assert.notDeepEqual(filesWith('endless', folders), [], 'the search finds the tag of a record');
      for (const path of ['/jobs', ...jobs.map((id) => `/jobs/${id}`)])
        assert.ok(!(await (await get(service, path, ann)).text()).includes(mark), path);
      await remove(service, ann, endless);
      for (const id of jobs) assert.equal((await waitForEnd(service, ann, id)).state, 'done');
      await waitUntil('the callbacks arrive', () => receiver.received.length === jobs.length);
      assert.deepEqual(receiver.problems, []);
      assert.ok(receiver.received.every(({ body }) => !body.includes(mark)));
      const document = await output(service, ann, jobs[0] ?? '');
      assert.match(Buffer.from(await document.arrayBuffer()).toString('latin1', 0, 8), /^%PDF-/);
      for (const id of jobs) assert.equal((await remove(service, ann, id)).status, 204);
      await service.stop();
      await assertClean('after the service has stopped', [mark, secret, '%PDF-']);
      assert.ok(!service.log().includes(mark));
      const documented = documentedDataFiles();
      const others = readdirSync(service.data).filter((name) => !documented.includes(name));
      assert.deepEqual(others, [], 'the documentation lists every file of the data folder');
    },
  );

function csv(content: string): File {
  return new File([content], 'rows.csv', { type: 'text/csv' });
}

async function dataFolderOf(url: string): Promise<string> {
  const client = new (await import('pg')).default.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  await client.end();
  return rows[0]?.data_directory ?? '';
}

/** Returns the paths of files with the word in their name or content. A file that vanishes meanwhile has none. */
function filesWith(word: string, folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path.includes(word) || contentOf(path).includes(word));
}

function contentOf(path: string): Buffer {
  try {
    return readUnlessLocked(path);
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw problem;
  }
}
