import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identityFor, defaultIdentity } from '../../../../main/engine/devtools/user-agent.ts';

const runtime = {
  userAgent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Platen/0.1.0 Chrome/130.0.6723.137 Electron/33.2.1 Safari/537.36',
  chrome: '130.0.6723.137',
};
const identity = (converter_user_agent: string, locale = 'en-US') =>
  identityFor({ converter_user_agent, locale }, runtime);

test("the default user agent is Chrome's, without the names of Electron and the application", () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
  assert.equal(defaultIdentity(runtime).userAgent, chrome);
  for (const preset of ['chrome-desktop', 'latest-chrome-desktop', ' Latest-Chrome-Desktop '])
    assert.deepEqual(identity(preset), defaultIdentity(runtime));
});

test('the mobile presets identify as Chrome for Android of the same version, client hints included', () => {
  for (const preset of ['chrome-mobile', 'latest-chrome-mobile']) {
    const { userAgent, hints } = identity(preset);
    assert.match(userAgent, /Android.* Chrome\/130\.0\.0\.0 Mobile Safari/);
    assert.deepEqual([hints?.mobile, hints?.platform], [true, 'Android']);
  }
});

test('any other text is sent as the user agent, on one line and without client hints', () => {
  assert.equal(identity('Our archive 1.0').userAgent, 'Our archive 1.0');
  assert.equal(identity('a\r\nX-Injected: b').userAgent, 'a X-Injected: b');
  assert.equal(identity('Our archive 1.0').hints, undefined);
});

test('pages are requested in the language of the locale, first with its region and then without', () => {
  assert.deepEqual([identity('x', 'de-CH').languages, identity('x', 'fr').languages], ['de-CH,de', 'fr']);
  assert.equal(identity('chrome-desktop', 'pt-BR').locale, 'pt-BR');
});
