import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { project } from '../../support/service/service.ts';

const scripts = pathToFileURL(join(project, 'build', 'packaging', 'debian.mjs')).href;

/** Writes the package of an application and returns its path. The build runs its scripts with tsx. */
function writeDebianPackage(application: string, date: string): string {
  const program = `
    import { writeDebianPackage } from ${JSON.stringify(scripts)};
    const [application, date] = process.argv.slice(1);
    process.stdout.write(writeDebianPackage(application, { date: new Date(date) }));
  `;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program, application, date];
  return execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
}

const isDebian = spawnSync('dpkg-deb', ['--version']).status === 0;
const skip = !isDebian && 'dpkg-deb is not installed';

test('the Debian package is compressed with zstd, and dpkg unpacks all its files', { skip }, () => {
  // In the folder of the build, because the package is made with hard links.
  mkdirSync(join(project, '.build', 'test'), { recursive: true });
  const folder = mkdtempSync(join(project, '.build', 'test', 'debian-'));
  try {
    const application = join(folder, 'application');
    mkdirSync(join(application, 'runtime'), { recursive: true });
    writeFileSync(join(application, 'platen'), '#!/bin/sh\n', { mode: 0o755 });
    const content = 'a runtime '.repeat(100_000);
    writeFileSync(join(application, 'runtime', 'platen-service'), content);
    const file = writeDebianPackage(application, '2026-01-02T03:04:05Z');
    // The members of an ar archive have a header of 60 bytes that starts with their name.
    const names = [
      ...readFileSync(file)
        .toString('latin1')
        .matchAll(/((?:control|data)\.tar\.\w+)\/? +\d+/g),
    ];
    assert.deepEqual(
      names.map(([, name]) => name),
      ['control.tar.zst', 'data.tar.zst'],
    );
    const unpacked = join(folder, 'unpacked');
    execFileSync('dpkg-deb', ['-x', file, unpacked]);
    assert.equal(readFileSync(join(unpacked, 'opt/platen/runtime/platen-service'), 'utf8'), content);
    assert.match(execFileSync('dpkg-deb', ['--field', file, 'Package'], { encoding: 'utf8' }), /^platen$/m);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
