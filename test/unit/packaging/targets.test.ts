import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTargets } from '../../../build/packaging/targets.ts';

const targetsFor = (platform: NodeJS.Platform, ...words: string[]) =>
  readTargets({ words, platform, arch: 'x64' });

test('without arguments, all packages of the platform are built, otherwise only the given packages', () => {
  assert.deepEqual(targetsFor('linux'), { packages: ['dir', 'tar.gz', 'deb', 'AppImage'], arch: 'x64' });
  assert.deepEqual(targetsFor('win32', 'zip', '--arch', 'arm64'), { packages: ['zip'], arch: 'arm64' });
});

test('an unavailable package causes an error that lists the available packages', () => {
  assert.throws(
    () => targetsFor('darwin', 'deb', 'dmg'),
    /^Error: deb: .*darwin\. Name one or more of dir, dmg, zip/,
  );
  assert.throws(() => targetsFor('freebsd'), /no package for freebsd/);
  assert.throws(() => targetsFor('win32', '--arch'), /--arch takes x64 or arm64/);
  assert.throws(() => targetsFor('linux', '--arch', 'arm64'), /on a machine with arm64/);
});
