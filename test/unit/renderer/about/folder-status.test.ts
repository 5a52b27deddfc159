import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { HotFolderState } from '../../../../main/console/contract.ts';
import { folderCounts, folderBadge } from '../../../../renderer/about/folder-status.ts';
import { language, t } from '../../../../renderer/texts/text.ts';

const folder = (changes: Partial<HotFolderState> = {}): HotFolderState => ({
  path: '/srv/in',
  waiting: 0,
  converting: 0,
  converted: 0,
  failed: 0,
  ...changes,
});

const badgeText = (changes: Partial<HotFolderState>) => t(folderBadge(folder(changes)).text);

afterEach(() => {
  language.value = 'en';
});

test('a folder with an error is shown as stopped, even while files convert', () => {
  const { text, tone } = folderBadge(folder({ problem: 'it is not there', converting: 1, waiting: 5 }));
  assert.deepEqual([t(text), tone], ['Stopped', 'error']);
});

test('a folder is shown as converting, waiting or watched', () => {
  assert.equal(badgeText({ converting: 1, waiting: 5 }), 'Converting');
  assert.equal(badgeText({ waiting: 5 }), 'Waiting');
  assert.equal(badgeText({ converted: 7, failed: 2 }), 'Watching');
});

test('files are counted by outcome, without zero counts', () => {
  assert.equal(folderCounts(folder()), '0 converted');
  assert.equal(
    folderCounts(folder({ converting: 1, waiting: 2, converted: 12_345, failed: 3 })),
    '1 converting, 2 waiting, 12,345 converted, 3 failed',
  );
});

test('the state of a folder is also shown in German', () => {
  language.value = 'de';
  assert.equal(badgeText({ problem: 'it is not there' }), 'Gestoppt');
  assert.equal(
    folderCounts(folder({ converted: 12_345, failed: 3 })),
    '12.345 umgewandelt, 3 fehlgeschlagen',
  );
});
