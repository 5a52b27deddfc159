import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packagesToBundle, type LockedPackage } from '../../../build/bundling/packages-to-bundle.ts';
import { lockedPackages } from '../../support/package-lock.ts';

const lock: Record<string, LockedPackage> = {
  '': { version: '0.1.0' },
  'node_modules/a': { version: '1.0.0' },
  'node_modules/b/node_modules/@c/a': { version: '2.0.0' },
  'node_modules/alias': { name: 'real', version: '3.0.0' },
  'node_modules/linux-glibc': { version: '1.0.0', os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  'node_modules/linux-musl': { version: '1.0.0', os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  'node_modules/windows': { version: '1.0.0', os: ['win32'], cpu: ['x64', 'arm64'] },
  'node_modules/not-windows': { version: '1.0.0', os: ['!win32'] },
  'node_modules/workspace': { link: true },
};

test('a bundle has the packages for its platforms, named as in the registry', () => {
  const everywhere = ['@c/a@2.0.0', 'a@1.0.0', 'real@3.0.0'];
  assert.deepEqual(
    packagesToBundle(lock, ['linux-x64']),
    [...everywhere, 'linux-glibc@1.0.0', 'not-windows@1.0.0'].sort(),
  );
  assert.deepEqual(packagesToBundle(lock, ['win32-arm64']), [...everywhere, 'windows@1.0.0'].sort());
  assert.deepEqual(packagesToBundle(lock, ['darwin-arm64']), [...everywhere, 'not-windows@1.0.0'].sort());
});

test('a bundle for Linux has the native packages of the lock file for Linux, and none for another platform', () => {
  const packages = lockedPackages(fileURLToPath(new URL('../../..', import.meta.url)));
  const names = packagesToBundle(packages, ['linux-x64']).map((one) => one.replace(/@[^@]+$/, ''));
  for (const name of ['electron', 'esbuild', '@esbuild/linux-x64', '@img/sharp-linux-x64', 'sharp'])
    assert.ok(names.includes(name), name);
  const foreign = names.filter((name) => /win32|darwin|musl|arm64/.test(name));
  assert.deepEqual(foreign, []);
});
