import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPermanent, changeableService, shellQuote } from '../../../../main/cli/service/installation.ts';
import type { ServiceHost } from '../../../../main/cli/service/service-host.ts';
import { systemd } from '../../../../main/cli/service/systemd.ts';

test('a user without permission to change services learns this, even if the service is invisible to that user', async () => {
  const id = { name: 'platen', scope: 'system' } as const;
  const hostWith = (obstacle: string | undefined): ServiceHost => ({
    ...systemd,
    findObstacle: () => Promise.resolve(obstacle),
    readInstalled: () => Promise.resolve(undefined),
  });
  await assert.rejects(
    changeableService(id, hostWith('a system service requires an administrator')),
    /^Error: a system service requires an administrator$/,
  );
  await assert.rejects(changeableService(id, hostWith(undefined)), /no service platen is installed/);
});

test('a printed command is quoted for the shell of its system', () => {
  for (const [word, posix, windows] of [
    ['--data', '--data', '--data'],
    ['C:\\Platen\\bin\\platen.cmd', 'C:\\Platen\\bin\\platen.cmd', 'C:\\Platen\\bin\\platen.cmd'],
    ['a folder', "'a folder'", '"a folder"'],
    ["it's", "'it'\\''s'", '"it\'s"'],
    ['C:\\my data\\', "'C:\\my data\\'", '"C:\\my data\\\\"'],
  ] as const)
    assert.deepEqual([shellQuote(word, 'linux'), shellQuote(word, 'win32')], [posix, windows]);
});

test('a service is refused for a download that macOS runs from a temporary path', () => {
  const inside = 'Platen.app/Contents/Resources/bin/platen';
  assert.throws(() => {
    assertPermanent([`/private/var/folders/x/T/AppTranslocation/5F-1/d/${inside}`]);
  }, /temporary path .*move Platen\.app to \/Applications/);
  assertPermanent([`/Applications/${inside}`]);
});
