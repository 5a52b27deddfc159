import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import {
  page,
  quickSettings,
  watchedFolders,
  type WatchedFolders,
} from '../../support/service/hot-folder.ts';
import { listJobs } from '../../support/service/job-record.ts';
import { pdfFacts, pdfText } from '../../support/output/pdf.ts';
import { temporaryFolder } from '../../support/service/service.ts';
import { zip } from '../../support/archives/zip-writer.ts';
import { waitUntil } from '../../support/wait-until.ts';

const pdf = (path: string) => pdfText(readFileSync(path));

describe('A file in a hot folder', () => {
  let folders: WatchedFolders;
  before(async () => (folders = await watchedFolders(8)));
  after(() => folders[Symbol.asyncDispose]());

  test('is converted to a PDF next to it if it is HTML, SVG or an archive', async () => {
    const hot = folders.next({ ...quickSettings, page_size: 'A5' });
    hot.write('letter.html', page('a letter'));
    hot.write('old.HTM', page('an old one'));
    hot.write('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"><text y="20">a logo</text></svg>');
    hot.write('packed.zip', zip([{ name: 'index.html', contents: page('packed') }]));
    hot.write('notes.txt', 'no source');
    const outputs = ['letter.pdf', 'old.pdf', 'logo.pdf', 'packed.pdf'];
    await waitUntil('four outputs', () => outputs.every((name) => existsSync(hot.at(name))));
    assert.deepEqual(
      outputs.map((name) => pdf(hot.at(name))),
      ['a letter', 'an old one', 'a logo', 'packed'],
    );
    assert.equal(Math.round(pdfFacts(readFileSync(hot.at('letter.pdf'))).width), 420);
    await waitUntil('the count of conversions', async () => (await hot.state()).converted === 4);
    assert.deepEqual(await hot.state(), {
      path: hot.folder,
      waiting: 0,
      converting: 0,
      converted: 4,
      failed: 0,
    });
    const { jobs } = await listJobs(hot.service, hot.operator.authorization);
    assert.deepEqual(new Set(jobs.map(({ account }) => account)), new Set(['hot-folders']));
    assert.deepEqual(
      hot.names().filter((name) => name.startsWith('.')),
      [],
    );
  });

  test('is read only when it is complete, even if it is written slowly', async () => {
    const hot = folders.next({ settle: '2s' });
    hot.write('slow.html', '<!doctype html><p>first');
    const snapshots: string[][] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      await pause(100);
      appendFileSync(hot.at('slow.html'), ` ${turn}`);
      snapshots.push(hot.names());
    }
    appendFileSync(hot.at('slow.html'), ' last');
    assert.ok(!snapshots.flat().includes('slow.pdf'));
    await waitUntil('the output', () => existsSync(hot.at('slow.pdf')));
    assert.match(pdf(hot.at('slow.pdf')), /^first 0 .* 29 last$/);
    assert.equal(existsSync(hot.at('failed')), false);
  });

  test('with the name of an earlier file replaces the output, and is moved under a free name', async () => {
    const hot = folders.next({ ...quickSettings, after: 'move', output: 'pdf' });
    hot.write('a.html', page('one'));
    await waitUntil('the first conversion', () => hot.names('done').length === 1);
    assert.equal(pdf(hot.at('pdf', 'a.pdf')), 'one');
    hot.write('a.html', page('two'));
    await waitUntil('the second conversion', () => hot.names('done').length === 2);
    assert.equal(pdf(hot.at('pdf', 'a.pdf')), 'two');
    hot.write('a.html', page('two'));
    await waitUntil('the conversion of the same content', () => hot.names('done').length === 3);
    assert.deepEqual(hot.names('done'), ['a (2).html', 'a (3).html', 'a.html']);
    assert.equal(readFileSync(hot.at('done', 'a.html'), 'utf8'), page('one'));
    assert.deepEqual(hot.names('pdf'), ['a.pdf']);
    assert.deepEqual(hot.names(), ['done', 'pdf', 'platen.json']);
  });

  test('is converted again when it changes, even if its modification time is old', async () => {
    const hot = folders.next();
    hot.write('a.html', page('before'));
    await waitUntil('the first', () => existsSync(hot.at('a.pdf')));
    // A program that copies a file may keep its modification time.
    hot.write('a.html', page('after it'));
    utimesSync(hot.at('a.html'), 1_000_000_000, 1_000_000_000);
    await waitUntil('the second', () => pdf(hot.at('a.pdf')) === 'after it');
  });

  test('is deleted with after=delete; files that differ only in their extensions get separate outputs', async () => {
    const hot = folders.next({
      ...quickSettings,
      settle: 1,
      after: 'delete',
      output_format: 'png',
    });
    hot.write('a.html', page('a page'));
    hot.write('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><text y="20">a logo</text></svg>');
    await waitUntil('two outputs', () => hot.names().join() === 'a.png,a.svg.png,platen.json');
    assert.equal(readFileSync(hot.at('a.png')).toString('latin1', 1, 4), 'PNG');
  });

  test('that cannot be converted is moved to failed/ with its error and debug log, and overwrites no other file', async () => {
    const hot = folders.next();
    hot.write('bad.zip', Buffer.from('PK\x03\x04 broken'));
    await waitUntil('the first', () => existsSync(hot.at('failed', 'bad.zip.log.html')));
    hot.write('bad.zip', Buffer.from('PK\x03\x04 broken too'));
    hot.write('good.html', page('good'));
    await waitUntil('the second', () => existsSync(hot.at('failed', 'bad (2).zip.log.html')));
    assert.deepEqual(hot.names('failed'), [
      'bad (2).zip',
      'bad (2).zip.error.txt',
      'bad (2).zip.log.html',
      'bad.zip',
      'bad.zip.error.txt',
      'bad.zip.log.html',
    ]);
    const message = readFileSync(hot.at('failed', 'bad.zip.error.txt'), 'utf8');
    assert.match(message, /^400\.312 - The zip .* job [0-9a-z]{26}\)\n$/);
    assert.match(
      readFileSync(hot.at('failed', 'bad.zip.log.html'), 'utf8'),
      /<!doctype html>[\s\S]*400\.312/,
    );
    assert.equal(readFileSync(hot.at('failed', 'bad.zip'), 'latin1'), 'PK\x03\x04 broken');
    await waitUntil('the output of good.html', () => existsSync(hot.at('good.pdf')));
    const { converted, failed } = await hot.state();
    assert.deepEqual([converted, failed], [1, 2]);
  });

  test('is ignored if it has a temporary name, is a link, or is in a subfolder', async () => {
    const hot = folders.next();
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'secret.html'), page('secret'));
    symlinkSync(join(outside, 'secret.html'), hot.at('link.html'));
    for (const name of ['.a.html.XyZ', '~$a.html', 'b.html.part', 'deep/c.html']) hot.write(name, page('no'));
    hot.write('b.html', page('a browser is not done with it'));
    hot.write('z.html', page('yes'));
    await waitUntil('the output of z.html', () => existsSync(hot.at('z.pdf')));
    rmSync(hot.at('b.html.part'));
    await waitUntil('the output of b.html', () => existsSync(hot.at('b.pdf')));
    assert.deepEqual(
      hot.names().filter((name) => name.endsWith('.pdf')),
      ['b.pdf', 'z.pdf'],
    );
    assert.deepEqual(hot.names('deep'), ['c.html']);
    rmSync(outside, { recursive: true });
  });

  test('can use sibling files only if platen.json allows this', async () => {
    const withStyle = '<link rel="stylesheet" href="a_files/s.css"><p>short</p>';
    const style = 'p { break-after: page } p::after { content: " and long" }';
    const hot = folders.next();
    hot.write('a_files/s.css', style);
    hot.write('a.html', withStyle);
    await waitUntil('the output without assets', () => existsSync(hot.at('a.pdf')));
    assert.equal(pdf(hot.at('a.pdf')), 'short');
    hot.write('platen.json', JSON.stringify({ ...quickSettings, assets: 'own', after: 'move' }));
    hot.write('a.html', `${withStyle} `);
    await waitUntil('the output with assets=own', () => hot.names('done').length === 2);
    assert.equal(pdf(hot.at('a.pdf')), 'short and long');
    assert.deepEqual(hot.names('done'), ['a.html', 'a_files']);
    hot.write('platen.json', JSON.stringify({ ...quickSettings, assets: 'all', output: 'out' }));
    hot.write('css/s.css', style);
    hot.write('b.html', withStyle.replace('a_files', 'css'));
    await waitUntil('the output with assets=all', () => existsSync(hot.at('out', 'b.pdf')));
    assert.equal(pdf(hot.at('out', 'b.pdf')), 'short and long');
  });
});
