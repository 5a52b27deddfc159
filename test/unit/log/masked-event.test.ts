import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { NewEvent } from '../../../main/log/events.ts';
import { findingsOf } from '../../../main/log/findings.ts';
import { hiddenValues } from '../../../main/log/masking.ts';
import { maskedEvent } from '../../../main/log/debug-log.ts';

const header = { name: 'x-mine', value: 'free text' };
const detail = { type: 'Image', from: 'network', status: 404, blocked: 'by block_ads' } as const;
const events: readonly NewEvent[] = [
  {
    kind: 'options',
    text: '1 option given',
    detail: { input: 'text', options: [{ name: 'cookies', value: 'free', from: 'default' }], values: [] },
  },
  { kind: 'note', text: 'free text', detail: { code: 'ignored-input', options: ['cookies'] } },
  { kind: 'request', text: 'http://a/free', detail: { ...detail, responseHeaders: [header] } },
  { kind: 'console', text: 'free text', detail: { level: 'error', source: 'free.js', line: 1 } },
  { kind: 'screenshot', text: 'free', detail: { type: 'image/png', width: 1, height: 1, data: 'iVBORfree' } },
  { kind: 'stage', text: 'load', took: 1, detail: { ended: 'because of free text' } },
  { kind: 'failure', text: 'free text', detail: { status: 400, reason: 1, stage: 'load' } },
  { kind: 'end', text: 'converted', detail: { outcome: 'converted' } },
];

function masking(...secrets: string[]): NewEvent[] {
  const { hide, masked } = hiddenValues();
  hide(secrets);
  return events.map((event) => maskedEvent(event, masked));
}

/** Returns the values that programs use to identify events. */
function structure(all: readonly NewEvent[]): unknown {
  return all.map((event) => [
    event.kind,
    Object.keys(event),
    Object.keys(event.detail),
    event.kind === 'options' && event.detail.options.map(({ name, from }) => [name, from]),
    event.kind === 'note' && [event.detail.code, event.detail.options],
    event.kind === 'request' && [event.detail.type, event.detail.from, event.detail.blocked],
    event.kind === 'console' && event.detail.level,
    event.kind === 'screenshot' && [event.detail.type, event.detail.data],
    event.kind === 'end' && event.detail.outcome,
    (event.kind === 'stage' || event.kind === 'end') && event.text,
  ]);
}

/** Each word and name in the events. */
const words = [...new Set(JSON.stringify(events).match(/[\w-]{4,}/g))];

test('kinds, codes and names of events are never masked', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...words), fc.string())), (secrets) => {
      const masked = masking(...secrets);
      assert.deepEqual(structure(masked), structure(events));
      assert.doesNotThrow(() => findingsOf(masked.map((event) => ({ at: 0, ...event }))));
    }),
  );
});

test('a secret is masked in every text that comes from a page, a server or the caller', () => {
  const recorded = JSON.stringify(masking('free').filter(({ kind }) => kind !== 'screenshot'));
  assert.doesNotMatch(recorded, /free/);
  assert.match(recorded, /"name":"x-mine","value":"\*\*\* text"/);
});

test('a secret in the name of a header is masked, because a server chose that name', () => {
  assert.match(JSON.stringify(masking('x-mine')), /"name":"\*\*\*","value":"free text"/);
});
