/** The key of the first account of a service that was started without a terminal. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openConsoleWindow } from '../support/console/console-window.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { waitUntil } from '../support/wait-until.ts';

const environment = { PLATEN_NO_TERMINAL: 'on' };

test('the window shows the key until the operator has saved it, and no log contains it', async () => {
  await using window = await openConsoleWindow({ environment });
  let stdout = '';
  window.app.process().stdout?.on('data', (bytes: Buffer) => (stdout += bytes.toString()));
  const file = join(window.data, 'first-key.json');
  const account = JSON.parse(readFileSync(file, 'utf8')) as { name: string; key: string };
  if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);

  const dialog = window.page.getByRole('dialog', { name: 'Your first account' });
  await dialog.getByText(account.key).waitFor();
  await dialog.getByRole('button', { name: 'Copy key' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await window.app.evaluate(({ clipboard }) => clipboard.readText()), account.key);
  await dialog.getByRole('button', { name: 'Later' }).click();
  await dialog.waitFor({ state: 'detached' });

  const page = await window.openAnother(window.page);
  const again = page.getByRole('dialog', { name: 'Your first account' });
  await again.getByText(account.key).waitFor();
  await again.getByRole('button', { name: 'I have saved the key' }).click();
  await again.waitFor({ state: 'detached' });
  await waitUntil('the file is deleted', () => !existsSync(file));

  const authorization = `Basic ${Buffer.from(`${account.name}:${account.key}`).toString('base64')}`;
  const response = await fetch(`${window.url}/metrics`, { headers: { authorization } });
  assert.equal(response.status, 200, 'the key is not valid');
  const log = readFileSync(join(window.data, 'platen.log'), 'utf8');
  assert.match(log, /created the first account/);
  for (const output of [log, stdout, window.log()]) assert.doesNotMatch(output, new RegExp(account.key));
});

test('the window shows the key in German, and an existing file gets no wider permissions', async () => {
  const data = temporaryFolder();
  writeFileSync(join(data, 'preferences.json'), '{"language":"de"}');
  writeFileSync(join(data, 'first-key.json'), 'left over', { mode: 0o644 });
  await using window = await openConsoleWindow({ data, environment });
  const dialog = window.page.getByRole('dialog', { name: 'Ihr erstes Konto' });
  await dialog.getByRole('button', { name: 'Später' }).waitFor();
  await dialog.getByText('Platen löscht die einzige Kopie').waitFor();
  if (process.platform !== 'win32') assert.equal(statSync(join(data, 'first-key.json')).mode & 0o777, 0o600);
});

test('a service that was started in a terminal prints the key and keeps no file', async () => {
  await using window = await openConsoleWindow();
  assert.equal(existsSync(join(window.data, 'first-key.json')), false);
});
