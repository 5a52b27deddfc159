import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { waitForStderr } from '../../support/service/wait-for-log.ts';
import {
  page,
  quickSettings,
  watchedBy,
  watchedFolder,
  watchedFolders,
  type WatchedFolder,
  type WatchedFolders,
} from '../../support/service/hot-folder.ts';
import { listJobs, openServiceDatabase, type ListedJob } from '../../support/service/job-record.ts';
import { operatorOf } from '../../support/console/operator.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { electronOf } from '../../support/service/processes.ts';
import { spawnPlaten, startService, temporaryFolder } from '../../support/service/service.ts';
import { waitUntil } from '../../support/wait-until.ts';

const pdf = (path: string) => pdfText(readFileSync(path));

/** Returns the newest jobs of the folder. */
async function jobsOf({ folder, service, operator }: WatchedFolder): Promise<readonly ListedJob[]> {
  const { jobs } = await listJobs(service, operator.authorization);
  // If platen.json has no tag, the tag of a job is the name of its folder.
  return jobs.filter(({ tag }) => tag === basename(folder));
}

describe('A hot folder', () => {
  let folders: WatchedFolders;
  before(async () => (folders = await watchedFolders(6, { flags: ['--queue', '2'] })));
  after(() => folders[Symbol.asyncDispose]());

  test('reports an invalid platen.json, and converts nothing until the file is corrected', async () => {
    const hot = folders.next({ ...quickSettings, page_sise: 'A5' });
    hot.write('a.html', page('waits'));
    await waitUntil('the error file', () => existsSync(hot.at('platen.json.error.txt')));
    assert.match(
      readFileSync(hot.at('platen.json.error.txt'), 'utf8'),
      /^platen\.json .*'page_sise' .*\bpage_size\b/,
    );
    await waitUntil('the problem', async () => (await hot.state()).problem?.includes('page_sise') === true);
    await waitForStderr(hot.service, /files of a hot folder are not being converted/);
    assert.equal(existsSync(hot.at('a.pdf')), false);
    hot.write('platen.json', JSON.stringify({ ...quickSettings, page_size: 'A5' }));
    await waitUntil('the output', () => existsSync(hot.at('a.pdf')));
    assert.equal(existsSync(hot.at('platen.json.error.txt')), false);
    assert.equal((await hot.state()).problem, undefined);
  });

  test('writes the notes about an output beside it, until an output has none', async () => {
    const hot = folders.next();
    const notes = hot.at('a.pdf.notes.txt');
    hot.write('a.html', '<p>x<img src="none.png">');
    await waitUntil('the output', () => existsSync(hot.at('a.pdf')));
    assert.match(readFileSync(notes, 'utf8'), /^missing-resource: .*none\.png.*\n$/);
    hot.write('a.html', page('corrected'));
    await waitUntil('the next output', async () => (await hot.state()).converted === 2);
    assert.equal(pdf(hot.at('a.pdf')), 'corrected');
    assert.equal(existsSync(notes), false);
  });

  test('continues after it was moved away and back, without converting a file twice', async () => {
    const hot = folders.next();
    hot.write('a.html', page('before'));
    await waitUntil('the first', async () => (await hot.state()).converted === 1);
    renameSync(hot.folder, `${hot.folder}.away`);
    await waitUntil('the problem', async () => (await hot.state()).problem === 'it does not exist');
    writeFileSync(join(`${hot.folder}.away`, 'b.html'), page('meanwhile'));
    renameSync(`${hot.folder}.away`, hot.folder);
    await waitUntil('the second', () => existsSync(hot.at('b.pdf')));
    assert.equal(pdf(hot.at('b.pdf')), 'meanwhile');
    hot.write('c.html', page('later'));
    await waitUntil('the third', () => existsSync(hot.at('c.pdf')));
    await waitUntil('the count of conversions', async () => (await hot.state()).converted === 3);
    assert.equal((await hot.state()).problem, undefined);
  });

  test('converts each of many files exactly once, while the service also responds to HTTP requests', async () => {
    const hot = folders.next({ ...quickSettings, after: 'move' });
    const names = Array.from({ length: 150 }, (_, number) => `page-${number}`);
    for (const name of names) hot.write(`${name}.html`, page(name));
    await waitUntil('a few outputs', () => hot.names('done').length > 3);
    const form = new FormData();
    form.set('text', page('a caller'));
    const headers = { authorization: hot.operator.authorization };
    const answer = await fetch(`${hot.service.url}/convert/24.04/`, { method: 'POST', body: form, headers });
    assert.equal(answer.status, 200);
    await waitUntil('all outputs', () => hot.names('done').length === names.length);
    for (const name of names.slice(0, 20)) assert.equal(pdf(hot.at(`${name}.pdf`)), name);
    assert.equal(hot.names().filter((name) => name.endsWith('.pdf')).length, names.length);
    assert.deepEqual(hot.names('failed'), []);
    await waitUntil('the count of conversions', async () => (await hot.state()).converted === names.length);
  });

  test('waits while the service is paused, and then ignores files that were deleted in the meantime', async () => {
    const hot = folders.next();
    await hot.operator.call('pause', {});
    hot.write('stays.html', page('stays'));
    hot.write('goes.html', page('goes'));
    await waitUntil('the detection of both files', async () => {
      const { waiting, converting } = await hot.state();
      return waiting + converting === 2;
    });
    rmSync(hot.at('goes.html'));
    await hot.operator.call('resume', {});
    await waitUntil('the output', () => existsSync(hot.at('stays.pdf')));
    await waitUntil('the empty queue', async () => (await hot.state()).waiting === 0);
    assert.deepEqual(hot.names(), ['platen.json', 'stays.html', 'stays.pdf']);
    const jobs = await jobsOf(hot);
    assert.deepEqual(
      jobs.map(({ outcome }) => outcome),
      ['converted'],
    );
  });

  test('keeps a source whose output cannot be written, and converts it later', async () => {
    const hot = folders.next();
    mkdirSync(hot.at('a.pdf'));
    hot.write('a.html', page('at last'));
    await waitForStderr(hot.service, /The output a\.pdf cannot be written/);
    assert.deepEqual(hot.names(), ['a.html', 'a.pdf', 'platen.json']);
    rmSync(hot.at('a.pdf'), { recursive: true });
    await waitUntil('the output', () => existsSync(hot.at('a.pdf')));
    assert.equal(pdf(hot.at('a.pdf')), 'at last');
    const jobs = await jobsOf(hot);
    assert.deepEqual([...new Set(jobs.map(({ status }) => status))].sort(), [200, 503]);
    assert.equal(
      jobs.reduce((sum, { consumed_credits }) => sum + consumed_credits, 0),
      1,
    );
  });

  test('keeps its files, and counts no failures, while its account has no credits', async () => {
    await using hot = await watchedFolder();
    hot.write('a.html', page('paid'));
    await waitUntil('the first', async () => (await hot.state()).converted === 1);
    await hot.operator.call('setCredits', { name: 'hot-folders', credits: 0 });
    hot.write('b.html', page('unpaid'));
    await waitUntil('the refusal', async () => {
      const { jobs } = await listJobs(hot.service, hot.operator.authorization);
      return jobs[0]?.reason === 105;
    });
    assert.deepEqual(hot.names(), ['a.html', 'a.pdf', 'b.html', 'platen.json']);
    assert.equal((await hot.state()).failed, 0);
  });

  test('converts the remaining files after the service was killed and restarted, and no file twice', async () => {
    const folder = temporaryFolder();
    const data = temporaryFolder();
    writeFileSync(join(folder, 'platen.json'), JSON.stringify(quickSettings));
    const flags = ['--hot-folders', folder, '--accounts', 'boss:key', '--restart', 'off'];
    const first = await startService({ data, flags });
    const hot = watchedBy(folder, first);
    const slow = '<script>setTimeout(() => {}, 1)</script><p>slow';
    writeFileSync(join(folder, 'platen.json'), JSON.stringify({ ...quickSettings, javascript_delay: 500 }));
    for (let number = 0; number < 12; number += 1) hot.write(`${number}.html`, `${slow} ${number}`);
    await waitUntil('some outputs', () => hot.names().filter((name) => name.endsWith('.pdf')).length >= 3);
    const ended = new Promise((resolve) => first.process.once('exit', resolve));
    process.kill(electronOf(first), 'SIGKILL');
    await ended;
    const done = hot.names().filter((name) => name.endsWith('.pdf'));
    const times = done.map((name) => statSync(hot.at(name)).mtimeMs);

    const second = await startService({ data, flags });
    await waitUntil('all outputs', () => hot.names().filter((name) => name.endsWith('.pdf')).length === 12);
    assert.equal(await second.stop(), 0);
    assert.deepEqual(
      done.map((name) => statSync(hot.at(name)).mtimeMs),
      times,
    );
    for (let number = 0; number < 12; number += 1)
      assert.equal(pdf(hot.at(`${number}.pdf`)), `slow ${number}`);
    await using record = await openServiceDatabase({ data });
    const jobs = await record.database.selectFrom('jobs').select('outcome').execute();
    // In each window, the kill may come between the output of a job and its record.
    const converted = jobs.filter(({ outcome }) => outcome === 'converted').length;
    assert.ok(converted <= 12 && converted >= 12 - availableParallelism(), String(converted));
    for (const leftover of [folder, data]) rmSync(leftover, { recursive: true });
  });

  test('finishes a running job when the service stops', async () => {
    await using hot = await watchedFolder({ ...quickSettings, javascript_delay: 2000 });
    hot.write('a.html', '<script>1</script><p>at the last moment');
    await waitUntil('the job', async () => (await hot.operator.call('state', {})).working === 1);
    assert.equal(await hot.service.stop(), 0);
    assert.equal(pdf(hot.at('a.pdf')), 'at the last moment');
  });

  test('inside another hot folder or in the data folder prevents the start, with exit code 2', async () => {
    const data = temporaryFolder();
    for (const paths of [`${data},/elsewhere`, '/in,/in/more', join(data, 'in')]) {
      const child = spawnPlaten(['serve', '--port', '0', '--data', data, '--hot-folders', paths]);
      if (child.stderr === null) throw new Error('no standard error');
      const ended = new Promise((resolve) => child.once('exit', resolve));
      assert.match(await text(child.stderr), /hot-folders: .* is (inside|the data folder)/);
      assert.equal(await ended, 2);
    }
    rmSync(data, { recursive: true });
  });

  test('is refused if another hot folder links into it, which is also refused', async () => {
    const links = temporaryFolder();
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'inner'));
    symlinkSync(join(folder, 'inner'), join(links, 'in'));
    await using service = await startService({ flags: ['--hot-folders', `${folder},${join(links, 'in')}`] });
    const operator = operatorOf(service);
    await waitUntil('the problem', async () => {
      const states = (await operator.call('state', {})).hotFolders ?? [];
      return states.length === 2 && states.every(({ problem }) => problem?.includes('is inside') === true);
    });
    for (const leftover of [folder, links]) rmSync(leftover, { recursive: true });
  });
});
