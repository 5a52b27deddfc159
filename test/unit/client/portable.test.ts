/** The client runs wherever fetch exists, so only its file for Node may import Node modules. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const project = join(import.meta.dirname, '..', '..', '..');
const client = join(project, 'client');

test('only client/node.ts imports modules from outside the client', () => {
  const sources = readdirSync(client, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts') && !name.startsWith('dist'));
  assert.ok(sources.length >= 8);
  for (const name of sources.filter((source) => source !== 'node.ts')) {
    const specifiers = [...readFileSync(join(client, name), 'utf8').matchAll(/from '([^']+)'/g)];
    for (const [, specifier = ''] of specifiers) assert.match(specifier, /^\.\.?\/(?!\.\.)/, name);
  }
});

test('the client has the version of the service and no dependencies', () => {
  const manifest = (path: string) =>
    JSON.parse(readFileSync(join(project, path), 'utf8')) as Record<string, unknown>;
  const clientManifest = manifest('client/package.json');
  assert.equal(clientManifest.version, manifest('package.json').version);
  assert.equal(clientManifest.dependencies, undefined);
  assert.equal(clientManifest.peerDependencies, undefined);
});
