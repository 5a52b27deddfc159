/** What no window of Platen ever gets (docs/security.md, Electron). Reads the code, because Electron does not report these values. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../../main', import.meta.url));
const files = readdirSync(main, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const code = files.map((name) => ({ name, text: readFileSync(join(main, name), 'utf8') }));

test('no window turns off a protection of Electron, or turns on a dangerous feature', () => {
  const forbidden =
    /\b(webSecurity|sandbox|contextIsolation)\s*:\s*false|\b(allowRunningInsecureContent|experimentalFeatures|webviewTag|devTools|nodeIntegration|nodeIntegrationInWorker)\s*:\s*true|\benableBlinkFeatures\b|\bcrashReporter\.start\b/;
  const found = code.flatMap(({ name, text }) => {
    const [match] = forbidden.exec(text) ?? [];
    return match === undefined ? [] : [`${name}: ${match}`];
  });
  assert.deepEqual(found, []);
});

test('each file that creates windows states sandbox, contextIsolation and nodeIntegration', () => {
  const creators = code.filter(
    ({ text }) => /\bnew BrowserWindow\b/.test(text) && text.includes('webPreferences'),
  );
  assert.ok(creators.length >= 3, 'pages, the tray and the client have windows');
  for (const { name, text } of creators)
    for (const value of ['sandbox: true', 'contextIsolation: true', 'nodeIntegration: false'])
      assert.ok(text.includes(value), `${name}: ${value}`);
});
