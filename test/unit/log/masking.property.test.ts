import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LogEvent } from '../../../main/log/events.ts';
import { harOf } from '../../../main/log/har.ts';
import { hiddenValues, mapTexts } from '../../../main/log/masking.ts';
import { maskedEvent } from '../../../main/log/debug-log.ts';
import { debugLogPage } from '../../../main/log/log-page.ts';
import { completeLog } from '../../support/debug-log/complete-debug-log.ts';

/** Fields with text from a page, a server or a caller. */
const externalFields = new Set([
  'value',
  'url',
  'redirected',
  'initiator',
  'source',
  'stack',
  'families',
  'element',
  'family',
  'character',
  'what',
  'garbled',
  'mime',
  'protocol',
  'tag',
]);
const ownText = new Set(['job', 'options', 'stage', 'layout', 'end']);

const isExternal = (event: LogEvent, name: string) =>
  externalFields.has(name) || (name === 'text' && !ownText.has(event.kind));

/** Returns the log with the secret inserted into one of its strings. */
function logWithSecret(secret: string, fraction: number, around: string): LogEvent[] {
  let count = 0;
  for (const event of completeLog())
    mapTexts(event, (text, name) => ((count += isExternal(event, name) ? 1 : 0), text));
  const chosen = Math.floor(fraction * count);
  let at = 0;
  return completeLog().map((event) =>
    mapTexts(event, (text, name) => {
      if (!isExternal(event, name)) return text;
      at += 1;
      return at - 1 === chosen ? `${text.slice(0, 20)}${around}${secret}${around}${text.slice(20)}` : text;
    }),
  );
}

/** Returns the secret as it is written in HTML, in JSON and in a URL. */
function spellings(secret: string): string[] {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return [
    secret,
    secret.replace(/[&<>"']/g, (character) => entities[character] ?? ''),
    // Preact escapes only these characters.
    secret.replace(/[&<"]/g, (character) => entities[character] ?? ''),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
  ];
}

test('a secret appears neither in the JSON, nor in the HAR, nor on the page of a log', () => {
  const secret = fc.stringMatching(/^q7[\w&<>"'%+/=$^\\ äß€-]{3,40}7q$/);
  const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const around = fc.constantFrom('', ' ', '"', '=', '/', 'é', '\n', '$&', '***');
  fc.assert(
    fc.property(secret, fraction, around, (hidden, where, beside) => {
      const { hide, masked } = hiddenValues();
      hide([hidden, encodeURIComponent(hidden)]);
      const log = logWithSecret(hidden, where, beside);
      assert.ok(JSON.stringify(log).includes(JSON.stringify(hidden).slice(1, -1)));
      const safe = log.map((event) => maskedEvent(event, masked));
      const links = { json: 'a.json', har: 'a.har', recipe: 'a.recipe.json' };
      for (const written of [JSON.stringify(safe), JSON.stringify(harOf(safe)), debugLogPage(safe, links)])
        for (const spelling of spellings(hidden)) assert.ok(!written.includes(spelling), spelling);
    }),
    { numRuns: 400 },
  );
});
