import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv, type ValidateFunction } from 'ajv';
import { fusesFor } from '../../../build/packaging/fuses.ts';
import {
  installerConfiguration,
  signingBy,
  type InstallerFacts,
} from '../../../build/packaging/installer-configuration.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const packagingFolder = join(project, 'build', 'packaging');
const { dependencies } = JSON.parse(
  readFileSync(join(packagingFolder, 'electron-builder', 'package.json'), 'utf8'),
) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
/** The configuration schema, copied from app-builder-lib of the same version (MIT). */
const schemaFile = `test/fixtures/electron-builder/scheme-${dependencies['electron-builder'] ?? ''}.json`;

const facts: InstallerFacts = {
  electronVersion: '45.4.1',
  signs: true,
  notarizes: true,
  hasSignCommand: true,
  fuses: fusesFor('win32'),
  paths: {
    app: '/stage/app',
    modules: '/stage/modules',
    documents: '/stage/documents',
    output: '/dist',
    icons: join(project, 'build', 'icons'),
    packaging: packagingFolder,
  },
};

test('electron-builder accepts the whole configuration, with and without signing', () => {
  const valid = validator();
  const unsigned = {
    ...facts,
    signs: false,
    notarizes: false,
    hasSignCommand: false,
    electronDist: '/electron',
  };
  for (const some of [facts, { ...unsigned, fuses: fusesFor('linux') }])
    assert.ok(valid(installerConfiguration(some)), JSON.stringify(valid.errors?.slice(0, 3)));
});

test('a key or a value that electron-builder does not know is detected', () => {
  const valid = validator();
  const configuration = installerConfiguration(facts);
  assert.equal(valid({ ...configuration, nsis: { ...configuration.nsis, silentSwitch: true } }), false);
  assert.equal(valid({ ...configuration, mac: { ...configuration.mac, hardenedRuntime: 'yes' } }), false);
});

test('all files for the installers exist', () => {
  const { win, nsis, mac, linux } = installerConfiguration(facts);
  const extra = [...win.extraFiles, ...mac.extraFiles].map(({ from }) => from);
  const named = [win.icon, nsis.include, mac.icon, linux.icon, mac.entitlements, ...extra];
  for (const file of named) if (!file.startsWith('/stage')) assert.ok(existsSync(file), file);
});

test('the macOS application explains its use of the local network, and requires macOS 13', () => {
  const { mac } = installerConfiguration(facts);
  assert.equal(mac.minimumSystemVersion, '13.0');
  assert.match(mac.extendInfo.NSLocalNetworkUsageDescription, /your own network/);
});

test("the fuses check the integrity of app.asar on Windows and macOS, and disable Node's options on all systems", () => {
  for (const platform of ['win32', 'darwin', 'linux'] as const) {
    const fuses = fusesFor(platform);
    assert.equal(fuses.enableEmbeddedAsarIntegrityValidation, platform !== 'linux');
    assert.equal(fuses.onlyLoadAppFromAsar, true);
    assert.equal(fuses.enableNodeOptionsEnvironmentVariable, false);
    assert.equal(fuses.enableNodeCliInspectArguments, false);
  }
});

test('a certificate in the environment enables signing, and complete Apple credentials also enable notarising', () => {
  assert.deepEqual(signingBy({}), { signs: false, notarizes: false, hasSignCommand: false });
  assert.deepEqual(signingBy({ CSC_LINK: 'a.p12' }), {
    signs: true,
    notarizes: false,
    hasSignCommand: false,
  });
  const key = { APPLE_API_KEY: 'a', APPLE_API_KEY_ID: 'b', APPLE_API_ISSUER: 'c' };
  assert.deepEqual(signingBy({ ...key, CSC_NAME: 'An Office' }), {
    signs: true,
    notarizes: true,
    hasSignCommand: false,
  });
  assert.deepEqual(signingBy(key), { signs: false, notarizes: false, hasSignCommand: false });
  const incomplete = { ...key, CSC_LINK: 'a.p12', APPLE_API_ISSUER: '' };
  assert.deepEqual(signingBy(incomplete), { signs: true, notarizes: false, hasSignCommand: false });
});

test('a command in the environment signs every file for Windows, once', () => {
  assert.equal(signingBy({ PLATEN_SIGN_COMMAND: 'sign --key 1' }).hasSignCommand, true);
  const options = (hasSignCommand: boolean) =>
    installerConfiguration({ ...facts, hasSignCommand }).win.signtoolOptions;
  assert.deepEqual(options(true).signingHashAlgorithms, ['sha256']);
  assert.equal(options(true).sign, join(packagingFolder, 'windows', 'sign.cjs'));
  assert.equal(options(false).sign, undefined);
});

describe('the command that signs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-sign-'));
  after(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'a setup.exe');
  const sign = (program: string) => {
    writeFileSync(join(folder, 'sign.mjs'), program);
    process.env.PLATEN_SIGN_COMMAND = `"${process.execPath}" "${join(folder, 'sign.mjs')}" --key 1`;
    // electron-builder resolves the function in the same way: by the name of the option.
    (
      createRequire(import.meta.url)(join(packagingFolder, 'windows', 'sign.cjs')) as {
        readonly sign: (task: { readonly path: string }) => void;
      }
    ).sign({ path: file });
  };

  test('gets the path of the file as its last argument', () => {
    writeFileSync(file, 'MZ');
    sign("import { appendFileSync } from 'node:fs'; appendFileSync(process.argv.at(-1), ' signed');");
    assert.equal(readFileSync(file, 'utf8'), 'MZ signed');
  });

  test('ends the build with its output if it fails', () => {
    assert.throws(() => {
      sign("console.log('session closed'); console.error('token missing'); process.exitCode = 7;");
    }, /PLATEN_SIGN_COMMAND ended with exit code 7 .*a setup\.exe: session closed\ntoken missing$/);
  });
});

const skip = spawnSync('python3', ['--version']).status !== 0 && 'python3 is not installed';
test('the entitlements disable library validation only if the application is not signed', { skip }, () => {
  const entitlements = (signs: boolean) =>
    readPropertyList(installerConfiguration({ ...facts, signs }).mac.entitlements);
  assert.deepEqual(entitlements(true), { 'com.apple.security.cs.allow-jit': true });
  assert.deepEqual(entitlements(false), {
    'com.apple.security.cs.allow-jit': true,
    'com.apple.security.cs.disable-library-validation': true,
  });
});

function validator(): ValidateFunction {
  const schema = JSON.parse(readFileSync(join(project, schemaFile), 'utf8')) as object;
  return new Ajv({ strict: false }).compile(schema);
}

function readPropertyList(file: string): unknown {
  const program = 'import json, plistlib, sys; print(json.dumps(plistlib.load(open(sys.argv[1], "rb"))))';
  return JSON.parse(execFileSync('python3', ['-c', program, file], { encoding: 'utf8' }));
}
