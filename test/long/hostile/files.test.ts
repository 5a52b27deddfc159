import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { writeSecretFiles, type SecretFiles } from '../../support/service/secret-files.ts';
import { startService, type Service } from '../../support/service/service.ts';
import { everyWay } from './every-way.ts';
import { fileChannels, fileSpellings } from './file-channels.ts';
import { convertAndCheckSecret, ownArchive, secretColour, showsArchiveFile } from './secret-check.ts';

describe('Files of the machine', { concurrency: 2 }, () => {
  let service: Service;
  let secret: SecretFiles;
  before(async () => {
    secret = writeSecretFiles(secretColour);
    service = await startService({ flags: ['--workers', '2'] });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    secret[Symbol.dispose]();
  });

  test('the user who runs the service can read the secret files of this suite', () => {
    assert.ok(readFileSync(join(secret.folder, 'x.html'), 'utf8').includes(secret.word));
  });

  for (const channel of fileChannels)
    test(`a page cannot show a file of the machine by ${channel.by}`, async () => {
      const ownFile = `own/${channel.file}`;
      const address = `file://${join(secret.folder, channel.file)}`;
      const pageOf = (...addresses: string[]) => ({
        file: ownArchive(addresses.map(channel.page).join('')),
      });
      const first = await convertAndCheckSecret(
        service,
        secret,
        channel.navigates ? pageOf(ownFile) : pageOf(ownFile, address),
      );
      if (!channel.blockedByBrowser)
        assert.ok(await showsArchiveFile(first, channel.file), 'the file of the archive is not shown');
      const { log } = channel.navigates
        ? await convertAndCheckSecret(service, secret, pageOf(address))
        : first;
      assert.match(log.text, /Not allowed to load local resource: file:/);
    });

  /** Converts a page that requests files in every way without navigating away. */
  const tryEveryWay = (addressOf: (name: string) => string) =>
    convertAndCheckSecret(service, secret, {
      file: ownArchive(everyWay(addressOf)),
      wait_for_element: '#tried',
    });

  test('a page can show the files of its archive in every way', async () => {
    const { text } = await tryEveryWay((name) => `own/${name}`);
    for (const way of ['img:came', 'link:came', 'script:came', 'import:came', 'fetch:200 mine'])
      assert.ok(text.includes(way), `${way}: ${text}`);
  });

  for (const [what, spelt] of fileSpellings)
    test(`a page cannot show a local file by ${what}`, async () => {
      const { text } = await tryEveryWay((name) => spelt(join(secret.folder, name)));
      assert.match(text, /img:failed link:failed script:failed import:failed fetch:(failed|404) +tried/);
    });
});
