import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { replacementReasons } from '../../../main/engine/window/replacement.ts';
import { readExposition } from '../../support/service/exposition.ts';
import { letterJob, openTestMetrics, operator } from './sources.ts';

const read = (name: string) =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', name), 'utf8');

describe('the documentation of the metrics', () => {
  test('names in its examples only metrics and labels that exist', async () => {
    const metrics = openTestMetrics();
    metrics.jobEnded(letterJob);
    metrics.waited(1);
    const { samples } = readExposition(await metrics.text(operator));
    const uses = [...read('operations.md').matchAll(/\b((?:platen|process)_\w+)(?:\{([^}]*)\})?/g)];
    assert.ok(uses.length > 10);
    for (const [, name, conditions = ''] of uses) {
      const known = samples.filter((sample) => sample.name === name || `${name}_sum` === sample.name);
      assert.ok(known.length > 0, `${name} is not a metric`);
      for (const [, label = ''] of conditions.matchAll(/(\w+)(?:=|!)/g))
        assert.ok(label === 'job' || Object.hasOwn(known[0]?.labels ?? {}, label), `${name}{${label}}`);
    }
  });

  test('names only reasons for replacement that exist', () => {
    const [, reasons = ''] = /why=~"([^"]*)"/.exec(read('operations.md')) ?? [];
    for (const why of reasons.split('|'))
      assert.ok((replacementReasons as readonly string[]).includes(why), why);
  });
});
