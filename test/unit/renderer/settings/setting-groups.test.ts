import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingNames } from '../../../../main/settings/table.ts';
import { groupOf, sectionsOf, settingGroups } from '../../../../renderer/settings/setting-groups.ts';
import { viewOf } from './setting-view.ts';

test('every setting of the service has a group other than "other"', () => {
  assert.deepEqual(
    settingNames.filter((name) => groupOf(name) === 'other'),
    [],
  );
});

test('groups name only settings of the service, each once', () => {
  const named = Object.values(settingGroups).flat();
  assert.deepEqual(
    named.filter((name) => !(settingNames as string[]).includes(name)),
    [],
  );
  assert.equal(new Set(named).size, named.length);
});

test('a setting without a group is shown last, under "other"', () => {
  const sections = sectionsOf(['brand-new', 'port', 'host'].map((name) => viewOf({ name })));
  assert.deepEqual(
    sections.map(({ group, settings }) => [group, settings.map(({ name }) => name)]),
    [
      ['listening', ['host', 'port']],
      ['other', ['brand-new']],
    ],
  );
});
