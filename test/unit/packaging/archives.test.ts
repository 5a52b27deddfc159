import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const date = 1_700_000_000;

const isLinux = process.platform === 'linux';
const onlyLinux = !isLinux && 'only Linux builds this package';
const noDebian = spawnSync('dpkg-deb', ['--version']).status !== 0 && 'dpkg-deb is not installed';
const noModes = process.platform === 'win32' && 'Windows has no modes';

const sameArchive = 'the same files make the same archive, regardless of their order and modification times';
test(sameArchive, { skip: onlyLinux }, (t) => {
  const program = `
    const { setDates, writeTarGz } = await import(${address('tar-gz.mjs')});
    setDates(process.argv[1], new Date(${date * 1000}));
    await writeTarGz(process.argv[1], process.argv[2]);`;
  const archives = [false, true].map((reversed) => {
    const folder = applicationIn(temporaryFolder(t), reversed);
    run(program, folder, `${folder}.tar.gz`);
    return `${folder}.tar.gz`;
  });
  const [first = '', second = ''] = archives;
  assert.ok(readFileSync(first).equals(readFileSync(second)));
  const listed = execFileSync('tar', ['--utc', '-tvzf', first], { encoding: 'utf8' });
  assert.match(listed, /^-rwxr-xr-x 0\/0 +\d+ 2023-11-14 22:13 platen-1\/platen$/m);
  assert.match(listed, /platen-1\/link -> platen$/m);
});

const debianPackage =
  'a Debian package puts the application into /opt/platen, the command on the path and a unit that is not enabled';
test(debianPackage, { skip: noDebian }, (t) => {
  const program = `
    const { writeDebianPackage } = await import(${address('debian.mjs')});
    console.log(writeDebianPackage(process.argv[1], { date: new Date(${date * 1000}) }));`;
  const folder = temporaryFolder(t);
  const application = applicationIn(folder, false);
  const file = run(program, application).trim();
  const first = readFileSync(file);
  const listed = execFileSync('dpkg-deb', ['--contents', file], { encoding: 'utf8' });
  for (const line of [
    /^-rwxr-xr-x root\/root .* \.\/opt\/platen\/platen$/m,
    /^lrwxrwxrwx root\/root .* \.\/usr\/bin\/platen -> \/opt\/platen\/platen$/m,
    /^-rw-r--r-- root\/root .* \.\/usr\/lib\/systemd\/system\/platen\.service$/m,
    /^-rw-r--r-- root\/root .* \.\/usr\/share\/applications\/platen\.desktop$/m,
  ])
    assert.match(listed, line);
  // An enabled unit would be a link in /etc.
  assert.doesNotMatch(listed, /\.\/etc\//);
  execFileSync('dpkg-deb', ['--extract', file, join(folder, 'out')]);
  execFileSync('dpkg-deb', ['--control', file, join(folder, 'out', 'DEBIAN')]);
  const sums = { cwd: join(folder, 'out'), stdio: 'pipe' } as const;
  execFileSync('md5sum', ['--check', '--strict', 'DEBIAN/md5sums'], sums);
  assert.ok(
    readFileSync(run(program, application).trim()).equals(first),
    'a second build gives the same bytes',
  );
});

test('files packaged from a private clone are readable by all', { skip: noModes }, (t) => {
  const program = `
    const { makeReadable } = await import(${address('tar-gz.mjs')});
    makeReadable(process.argv[1]);`;
  const application = applicationIn(temporaryFolder(t), false);
  const at = (...names: string[]) => join(application, ...names);
  for (const name of ['platen', 'runtime']) chmodSync(at(name), 0o700);
  chmodSync(at('runtime', 'a'), 0o600);
  chmodSync(at('runtime', 'b'), 0o4700);
  run(program, application);
  const modes = ['platen', 'runtime', 'runtime/a', 'runtime/b'].map(
    (name) => statSync(at(name)).mode & 0o7777,
  );
  assert.deepEqual(modes, [0o755, 0o755, 0o644, 0o4755]);
});

test('a bundle is not made if the URL of its registry contains a password, which is not printed', () => {
  const program = `
    const { registryAddress } = await import(${address('../bundling/npm-cache.mjs')});
    console.log(await registryAddress().catch((problem) => problem.message));`;
  const output = run(program);
  assert.match(output, /^https?:\/\//);
  const login = "process.env.npm_config_registry = 'http://me:geheim@localhost:9/a/'; const";
  const secret = run(program.replace('const', login));
  assert.match(secret, /does not print the URL of its registry.*if it contains a password/);
  assert.doesNotMatch(secret, /geheim/);
});

function address(name: string): string {
  return JSON.stringify(pathToFileURL(join(project, 'build', 'packaging', name)).href);
}

/** Runs the program in a separate Node process, like `npm run dist`. Returns its output. */
function run(program: string, ...args: string[]): string {
  const words = ['--import', 'tsx', '--input-type=module', '--eval', program, ...args];
  const env = { ...process.env, SOURCE_DATE_EPOCH: '' };
  return execFileSync(process.execPath, words, { cwd: project, encoding: 'utf8', env });
}

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-archives-'));
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** Creates a minimal application folder, with its files in either order. */
function applicationIn(folder: string, reversed: boolean): string {
  const application = join(folder, 'platen-1');
  mkdirSync(join(application, 'runtime'), { recursive: true });
  chmodSync(application, 0o755);
  chmodSync(join(application, 'runtime'), 0o755);
  const names = ['platen', 'runtime/a', 'runtime/b'];
  for (const name of reversed ? names.reverse() : names) {
    writeFileSync(join(application, name), name);
    chmodSync(join(application, name), name === 'platen' ? 0o755 : 0o644);
    utimesSync(join(application, name), 0, reversed ? 1 : 2);
  }
  symlinkSync('platen', join(application, 'link'));
  return application;
}
