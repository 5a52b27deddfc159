import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clientTextsFor, textsFor } from '../../../../main/app/tray/texts.ts';
import {
  clientMenu,
  trayMenu,
  type ClientMenuView,
  type TrayView,
} from '../../../../main/app/tray/tray-menu.ts';

const ready: TrayView = { status: 'ready', working: 0, waiting: 0, startsAtLogin: false };

function shown(view: Partial<TrayView> = {}, language = 'en-GB') {
  const { tooltip, items } = trayMenu({ ...ready, ...view }, textsFor([language]));
  const labels = items.flatMap((item) => (item.kind === 'line' ? [] : [item.label]));
  const enabled = items.flatMap((item) => ('enabled' in item && item.enabled ? [item.action] : []));
  return { tooltip, labels, enabled, items };
}

describe("The tray's menu", () => {
  test('offers all actions when the service is ready', () => {
    assert.deepEqual(shown().labels, [
      'Ready',
      'Open Platen',
      'Pause',
      'Copy base URL',
      'Start at login',
      'Logs folder',
      'Self-test…',
      'About Platen',
      'Quit',
    ]);
  });

  test('counts jobs in its first line and in the tooltip', () => {
    const { tooltip, labels } = shown({ status: 'busy', working: 2, waiting: 3 });
    assert.equal(labels[0], 'Converting 2 documents, 3 waiting');
    assert.equal(tooltip, 'Platen: Converting 2 documents, 3 waiting');
    assert.equal(shown({ status: 'busy', working: 1 }).labels[0], 'Converting 1 document');
  });

  test('offers Resume instead of Pause when paused', () => {
    const { enabled } = shown({ status: 'paused' });
    assert.ok(enabled.includes('resume') && !enabled.includes('pause'));
  });

  test('shows why the service accepts no jobs', () => {
    assert.equal(
      shown({ status: 'unavailable', why: 'the disk is full' }).labels[0],
      'Cannot accept jobs: the disk is full',
    );
  });

  test('shows the remaining jobs while quitting, and disables Quit', () => {
    const { labels, enabled } = shown({ status: 'stopping', working: 1 });
    assert.equal(labels.at(-1), 'Quitting when 1 job is done');
    assert.ok(!enabled.includes('quit') && !enabled.includes('pause'));
    assert.equal(shown({ status: 'stopping', working: 4 }).labels.at(-1), 'Quitting when 4 jobs are done');
  });

  test('has a checkbox for the start at login, disabled where it is unavailable', () => {
    const box = (startsAtLogin: boolean | undefined) =>
      shown({ startsAtLogin }).items.find((item) => item.kind === 'box');
    assert.deepEqual([box(true)?.checked, box(true)?.enabled], [true, true]);
    assert.deepEqual([box(undefined)?.checked, box(undefined)?.enabled], [false, false]);
  });

  test('uses German if the user prefers it to English, otherwise English', () => {
    assert.equal(shown({}, 'de-AT').labels[1], 'Platen öffnen');
    const first = (...languages: string[]) => textsFor(languages).quit;
    assert.deepEqual(
      [first('fr-FR', 'de'), first('fr-FR', 'en', 'de'), first()],
      ['Beenden', 'Quit', 'Quit'],
    );
  });
});

describe('The menu of a desktop client', () => {
  const actionsOf = (view: Partial<ClientMenuView>, hasLogs: boolean) =>
    clientMenu(
      { ...ready, mayStop: false, ...view },
      {
        texts: textsFor(['en']),
        clientTexts: clientTextsFor(['en']),
        hasLogs,
      },
    ).items.flatMap((item) => ('action' in item ? [item.action] : []));

  test('neither pauses nor stops the service for a user without rights', () => {
    assert.deepEqual(actionsOf({}, false), ['open', 'copyBaseUrl', 'startAtLogin', 'leave']);
  });

  test('offers pause to an operator, and the log and the stop to the owner of the service', () => {
    assert.deepEqual(actionsOf({ isOperator: true, mayStop: true }, true), [
      'open',
      'pause',
      'copyBaseUrl',
      'startAtLogin',
      'logs',
      'stopService',
      'leave',
    ]);
    assert.ok(actionsOf({ isOperator: true, status: 'paused' }, true).includes('resume'));
  });
});
