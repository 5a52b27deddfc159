/**
 * The actions that Platen adds to the MSI, compiled by Debian's wixl with a stub payload and read back from the tables. Needs the
 * packages wixl and msitools. wixl ignores what it does not know: rollback actions, Secure properties and the time at which the old
 * version is removed; these are checked in the WiX project only. No MSI is installed.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const { withPlatenActions } = createRequire(import.meta.url)(
  join(project, 'build', 'packaging', 'windows', 'msi-actions.cjs'),
) as { readonly withPlatenActions: (wixProject: string) => string };
const read = (path: string) => readFileSync(join(project, path), 'utf8');

/** Bits of a custom action's type: https://learn.microsoft.com/windows/win32/msi/summary-list-of-all-custom-action-types. */
const runsProgramOfProperty = 0x32;
const inTransaction = 0x400;
const asSystem = 0x800;
const ignoresFailure = 0x40;

const folder = mkdtempSync(join(tmpdir(), 'platen-msi-'));

/** Runs a program in the folder of the stub payload. */
function run(program: string, ...words: readonly string[]): string {
  const { error, status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', cwd: folder });
  assert.equal(error, undefined, `${program} is missing; install the Debian packages wixl and msitools.`);
  assert.equal(status, 0, stderr);
  return stdout;
}

describe('the tables of the MSI', () => {
  const msi = join(folder, 'platen.msi');
  after(() => {
    rmSync(folder, { recursive: true });
  });
  before(() => {
    writeFileSync(join(folder, 'platen.cmd'), '@echo off\r\n');
    const source = join(folder, 'project.wxs');
    writeFileSync(source, withPlatenActions(read('test/windows/installer/stub.wxs')));
    run('wixl', '--arch', 'x64', '--output', msi, source);
  });

  /** The rows of a table below its three header lines. */
  const rows = (table: string) =>
    run('msiinfo', 'export', msi, table)
      .split('\r\n')
      .slice(3)
      .filter((line) => line !== '')
      .map((line) => line.split('\t'));
  const sequence = () => rows('InstallExecuteSequence').sort((a, b) => Number(a[2]) - Number(b[2]));

  test('run the command line of Platen in the transaction, as the system', () => {
    const batchFile = '"[APPLICATIONFOLDER]bin\\platen.cmd"';
    const actions = new Map(
      rows('CustomAction').map(([id, type, source, target]) => [id, { type, source, target }]),
    );
    const ifInstalled = `if exist "[APPLICATIONFOLDER]Platen.exe" if exist ${batchFile} `;
    for (const [id, condition, command, ignored] of [
      ['PlatenSuspend', ifInstalled, 'service suspend', 0],
      ['PlatenResume', '', 'service resume', ignoresFailure],
      ['PlatenRemove', '', 'service remove', ignoresFailure],
      ['PlatenService', '', 'service install[PLATEN_ARGUMENTS]', 0],
    ] as const)
      assert.deepEqual(actions.get(id), {
        type: String(runsProgramOfProperty | inTransaction | asSystem | ignored),
        source: 'PlatenShell',
        target: `/d /s /c "${condition}${batchFile} ${command}"`,
      });
    assert.equal(actions.get('SetPlatenShell')?.target, '[System64Folder]cmd.exe');
  });

  test('stop everything before files are removed, and start it after they are installed', () => {
    const order = sequence().map(([action]) => action);
    const chosen = ['InstallInitialize', 'PlatenSuspend', 'PlatenRemove', 'RemoveFiles', 'InstallFiles'];
    const later = ['PlatenResume', 'PlatenService', 'InstallFinalize'];
    assert.deepEqual(
      order.filter((action) => [...chosen, ...later].includes(action ?? '')),
      [...chosen, ...later],
    );
  });

  test('distinguish an upgrade, a removal, and an installation with a service', () => {
    const conditions = new Map(sequence().map(([action, condition]) => [action, condition]));
    assert.equal(conditions.get('PlatenSuspend'), 'UPGRADINGPRODUCTCODE OR REINSTALL');
    assert.equal(conditions.get('PlatenRemove'), 'REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE');
    assert.equal(conditions.get('PlatenService'), 'PLATEN_SERVICE="1" AND NOT (REMOVE="ALL")');
  });

  test('turn public properties into flags of the service, before the transaction starts', () => {
    const order = sequence().map(([action]) => action ?? '');
    const setters = ['SetPLATEN_PORT', 'SetPLATEN_HOST', 'SetPLATEN_DATA', 'SetPLATEN_FIREWALL'];
    for (const setter of setters) assert.ok(order.indexOf(setter) < order.indexOf('InstallInitialize'));
    const flags = rows('CustomAction').filter(([id = '']) => setters.includes(id));
    assert.deepEqual(
      flags.map(([, , property, value]) => [property, value?.replace('[PLATEN_ARGUMENTS] ', '')]),
      [
        ['PLATEN_ARGUMENTS', '--port [PLATEN_PORT]'],
        ['PLATEN_ARGUMENTS', '--host [PLATEN_HOST]'],
        ['PLATEN_ARGUMENTS', '--data "[PLATEN_DATA]\\."'],
        ['PLATEN_ARGUMENTS', '--firewall'],
      ],
    );
  });

  test('leave the processes to Platen, not to the Restart Manager', () => {
    assert.ok(
      rows('Property').some(
        ([id, value]) => id === 'MSIRESTARTMANAGERCONTROL' && value === 'DisableShutdown',
      ),
    );
  });
});
