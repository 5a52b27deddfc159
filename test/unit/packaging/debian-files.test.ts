import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { changelog, control, copyright, type DebianPackage } from '../../../build/packaging/debian-files.ts';
import { debianUnit } from '../../../build/packaging/debian-unit.ts';
import { planInNote } from '../../../main/cli/service/plan.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

const about: DebianPackage = {
  version: '0.1.0',
  arch: 'x64',
  size: 2_000_000,
  date: new Date(0),
  maintainer: 'An Office <it@office.test>',
  licence: 'MIT License\n\nCopyright (c) 2026 Somebody\n\nPermission is granted.\n',
};

const noDebian = spawnSync('dpkg-deb', ['--version']).status !== 0 && 'dpkg-deb is not installed';

test('the Debian package declares version, architecture, size and dependencies', { skip: noDebian }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-deb-'));
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  const file = packageOf(about, folder);
  const field = (name: string) =>
    execFileSync('dpkg-deb', ['--field', file, name], { encoding: 'utf8' }).trim();
  assert.equal(field('Version'), '0.1.0-1');
  assert.equal(field('Architecture'), 'amd64');
  assert.equal(field('Installed-Size'), '1954');
  for (const name of ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'xvfb'])
    assert.ok(field('Depends').includes(name), name);
  assert.match(field('Description'), /^turns web pages/);
  assert.match(control({ ...about, arch: 'arm64' }), /^Architecture: arm64$/m);
  assert.throws(() => control({ ...about, arch: 'mips' }));
});

test("the changelog has Debian's date format, and the copyright file names the holder", () => {
  assert.match(changelog(about), /^platen \(0\.1\.0-1\) unstable; urgency=medium$/m);
  assert.match(changelog(about), /^ -- An Office <it@office\.test> {2}Thu, 01 Jan 1970 00:00:00 \+0000$/m);
  const text = copyright(about);
  assert.match(text, /^Copyright: \(c\) 2026 Somebody$/m);
  // An empty line would end the paragraph.
  assert.match(text, /^License: Expat\n MIT License\n \.\n Copyright/m);
});

const noShell = process.platform === 'win32' && 'Windows has no sh';
test('the maintainer scripts of the Debian package are valid shell scripts', { skip: noShell }, () => {
  for (const name of ['postinst', 'prerm', 'postrm'])
    execFileSync('sh', ['-n', join(project, 'build', 'packaging', 'debian', name)]);
});

test('the systemd unit of the Debian package starts the packaged program as the user that postinst creates', () => {
  const unit = debianUnit();
  const postinst = readFileSync(join(project, 'build', 'packaging', 'debian', 'postinst'), 'utf8');
  const [, user] = /useradd [^]*?--comment "Platen" (\w+)\n/.exec(postinst) ?? [];
  assert.match(unit, new RegExp(`^User=${String(user)}$`, 'm'));
  assert.match(unit, /^ExecStart=\/opt\/platen\/platen serve --data \/var\/lib\/platen$/m);
  assert.ok(postinst.includes('--home-dir /var/lib/platen '));
  assert.equal(planInNote(unit)?.data, '/var/lib/platen', "'platen service' recognises the unit by its note");
  assert.doesNotMatch(unit, /Written by 'platen service install'/);
});

const isMissing = spawnSync('systemd-analyze', ['--version']).error !== undefined;
const skip = isMissing && 'systemd-analyze is missing (apt-get install systemd)';

test('the systemd unit of the Debian package has only directives that systemd knows', { skip }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-deb-'));
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  const complaints = (text: string) => {
    const path = join(folder, 'platen.service');
    writeFileSync(path, text);
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    // The program is not installed on the machine that builds the package.
    const lines = (stdout + stderr).split('\n').filter((line) => !line.includes('/opt/platen/platen'));
    return lines.filter((line) => line.includes('platen.service')).join('\n');
  };
  assert.equal(complaints(debianUnit()), '');
  assert.match(complaints(debianUnit().replace('UMask=', 'UMusk=')), /UMusk/);
});

/** Builds a Debian package without an executable. Returns the path of the package. */
function packageOf(facts: DebianPackage, folder: string): string {
  const root = join(folder, 'root');
  mkdirSync(join(root, 'DEBIAN'), { recursive: true });
  chmodSync(root, 0o755);
  writeFileSync(join(root, 'DEBIAN', 'control'), control(facts));
  const file = join(folder, 'a.deb');
  const args = ['--root-owner-group', '-Zgzip', '--build', root, file];
  execFileSync('dpkg-deb', args, { stdio: 'pipe' });
  return file;
}
