import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nearestName } from '../../../main/fields/nearest.ts';
import { optionNames } from '../../../main/job/options.ts';

test('a known name is its own nearest name, in any case and with hyphens for underscores', () => {
  for (const name of optionNames) {
    assert.equal(nearestName(name, optionNames), name);
    assert.equal(nearestName(name.toUpperCase().replaceAll('_', '-'), optionNames), name);
  }
});

test('a name with a missing or changed letter, or with inserted letters, finds the known name', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...optionNames.filter((name) => name.length > 9)),
      fc.nat(),
      fc.constantFrom('', 'x', 'left', '_'),
      (name, offset, inserted) => {
        const at = offset % name.length;
        const mistyped = `${name.slice(0, at)}${inserted}${name.slice(at + 1)}`;
        return nearestName(mistyped, [name, 'zzzzzzzzzzzz']) === name;
      },
    ),
  );
  const found = ['viewport_width', 'page_sise', 'orientaton', 'margin-top', 'wait_for_elment'].map((name) =>
    nearestName(name, optionNames),
  );
  assert.deepEqual(found.slice(1), ['page_size', 'orientation', 'margin_top', 'wait_for_element']);
});

test('the nearest of several known names is returned', () => {
  assert.equal(nearestName('margin_botom', ['margin_top', 'margin_bottom']), 'margin_bottom');
});

test('a name far from all known names has no nearest name', () => {
  const far = ['', 'constructor', '__proto__', 'q', '\0', 'ß'.repeat(30), 'completely_different_thing'];
  for (const name of far) assert.equal(nearestName(name, optionNames), undefined, name);
  assert.equal(nearestName('anything', []), undefined);
});

test('the nearest name is a known name or undefined', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string({ minLength: 3 })), (name, known) => {
      const found = nearestName(name, known);
      return found === undefined || known.includes(found);
    }),
  );
});

test('a name of a million characters is not compared, to save time', () => {
  const name = 'x'.repeat(1_000_000);
  assert.equal(nearestName(name, [`${name}y`]), undefined);
});
