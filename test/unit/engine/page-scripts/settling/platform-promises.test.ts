/** The table of the platform's promises (build/webidl/), for which conversions wait. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exemptions } from '../../../../../build/webidl/exemptions.ts';
import { isExempt, platformPromiseNames } from '../../../../../build/webidl/promises.ts';
import { platformPromisesTable } from '../../../../../build/webidl/table.ts';
import { platformPromises } from '../../../../../main/engine/page-scripts/settling/generated/platform-promises.ts';

const names = platformPromiseNames();

test('every promise of the platform is counted, or exempt with a reason', () => {
  const isCounted = (name: string) => {
    const [owner = '', member = ''] = name.split('.');
    const { methods = '', statics = '', attributes = '' } = platformPromises[owner] ?? {};
    return `${methods} ${statics} ${attributes}`.split(' ').includes(member);
  };
  assert.ok(names.length > 400);
  assert.deepEqual(
    names.filter((name) => isCounted(name) === isExempt(name)),
    [],
  );
  assert.ok(Object.values(exemptions).every((reason) => reason.endsWith('.')));
});

test('every exemption names a promise of the platform', () => {
  const known = new Set(names.flatMap((name) => [name, name.split('.')[0]]));
  assert.deepEqual(
    Object.keys(exemptions).filter((name) => !known.has(name)),
    [],
  );
});

test('the table of promises is up to date', () => {
  const project = join(import.meta.dirname, '../../../../..');
  const path = join(project, 'main/engine/page-scripts/settling/generated/platform-promises.ts');
  assert.equal(readFileSync(path, 'utf8'), platformPromisesTable());
});
