import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageText, type RemoteObject } from '../../../../../main/engine/diagnostics/recording/console.ts';

const words = (value: string): RemoteObject => ({ type: 'string', value });

test('strings are logged unquoted, and format directives consume the next arguments', () => {
  assert.equal(
    messageText([
      words('a %s and %d%%, %c%s'),
      words('b'),
      { type: 'number', value: 3, description: '3' },
      words('color: red'),
      words('c'),
      words('d'),
    ]),
    'a b and 3%, c d',
  );
  assert.equal(messageText([words('%s %s'), words('a')]), 'a %s');
  assert.equal(messageText([]), '');
});

test('values that JSON cannot express are logged as in JavaScript', () => {
  assert.equal(
    messageText([
      { type: 'undefined' },
      { type: 'object', subtype: 'null', value: null },
      { type: 'bigint', unserializableValue: '5n', description: '5n' },
      { type: 'number', unserializableValue: 'NaN', description: 'NaN' },
      { type: 'boolean', value: false },
      { type: 'symbol', description: 'Symbol(s)' },
      { type: 'function', className: 'Function', description: 'function f(a) {\n  return a;\n}' },
      {
        type: 'object',
        subtype: 'node',
        description: 'body',
        preview: { type: 'object', overflow: true, properties: [] },
      },
    ]),
    'undefined null 5n NaN false Symbol(s) function f(a) { body',
  );
});

test('objects are logged on one line, with an ellipsis if properties are left out', () => {
  const object = (preview: RemoteObject['preview']): RemoteObject => ({
    type: 'object',
    ...(preview && { preview }),
  });
  const number = (name: string) => ({ name, type: 'number', value: '1' });
  const plain = object({
    type: 'object',
    description: 'Object',
    overflow: true,
    properties: [
      number('a'),
      { name: 'b', type: 'string', value: 'x' },
      { name: 'c', type: 'function', value: '' },
    ],
  });
  const list = object({
    type: 'object',
    subtype: 'array',
    description: 'Array(1)',
    overflow: false,
    properties: [number('0')],
  });
  const map = object({
    type: 'object',
    subtype: 'map',
    description: 'Map(1)',
    overflow: false,
    properties: [],
    entries: [
      {
        key: { type: 'string', description: 'k', overflow: false, properties: [] },
        value: { type: 'object', description: 'Foo', overflow: false, properties: [number('x')] },
      },
    ],
  });
  assert.equal(messageText([plain]), "{a: 1, b: 'x', c: ƒ, …}");
  assert.equal(messageText([list]), 'Array(1) [1]');
  assert.equal(messageText([map]), "Map(1) {'k' => Foo {x: 1}}");
  assert.equal(messageText([{ type: 'object', className: 'Object', description: 'Object' }]), 'Object');
});
