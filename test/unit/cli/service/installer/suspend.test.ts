import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { remove } from '../../../../../main/cli/service/installer/remove.ts';
import { resume, suspend, type SuspendedState } from '../../../../../main/cli/service/installer/suspend.ts';
import type { StoppedCopies } from '../../../../../main/cli/service/installer/running-copies.ts';
import type { FoundService, ServiceHost } from '../../../../../main/cli/service/service-host.ts';
import { systemd } from '../../../../../main/cli/service/systemd.ts';
import { samplePlan } from '../sample-plan.ts';

const root = mkdtempSync(join(tmpdir(), 'platen-suspend-'));
after(() => {
  rmSync(root, { recursive: true });
});
const stateFile = join(root, 'Platen.suspended.json');
const folder = join(root, 'Platen');

/** A machine whose services write their calls down instead of running. */
function machineWith(...services: readonly Partial<FoundService>[]) {
  const calls: string[] = [];
  const found = services.map((service, index): FoundService => {
    const label = service.label ?? `service ${index}`;
    const note = (action: string) => () => {
      calls.push(`${action} ${label}`);
      return Promise.resolve();
    };
    return {
      label,
      plan: samplePlan({ scope: 'user' }),
      isStarted: true,
      stop: note('stop'),
      start: note('start'),
      uninstall: note('uninstall'),
      ...service,
    };
  });
  const host: ServiceHost = {
    ...systemd,
    findObstacle: () => Promise.resolve(undefined),
    findServices: () => Promise.resolve(found),
  };
  const stop = (): Promise<StoppedCopies> => {
    calls.push('stop copies');
    return Promise.resolve({ launchers: [], killed: [] });
  };
  return { calls, host, stop };
}

function readState(): SuspendedState {
  return JSON.parse(readFileSync(stateFile, 'utf8')) as SuspendedState;
}

describe('an installer that replaces files', () => {
  test('stops all started services and copies, and starts these services again', async () => {
    const { calls, host, stop } = machineWith(
      { label: 'platen' },
      { label: 'platen (alice)' },
      { label: 'turned off', isStarted: false },
    );
    assert.equal(await suspend({ folder, stateFile, host, stop }), 0);
    assert.deepEqual(calls, ['stop platen', 'stop platen (alice)', 'stop copies']);
    calls.length = 0;
    assert.equal(await resume({ folder, stateFile, host, stop }), 0);
    assert.deepEqual(calls, ['start platen', 'start platen (alice)']);
    assert.equal(existsSync(stateFile), false);
  });

  test('starts after a second attempt also what the first attempt had stopped', async () => {
    const first = machineWith({ label: 'platen' });
    await suspend({ folder, stateFile, ...first });
    const second = machineWith({ label: 'platen', isStarted: false }, { label: 'other' });
    await suspend({ folder, stateFile, ...second });
    assert.deepEqual(readState().services, ['platen', 'other']);
    rmSync(stateFile);
  });

  test('knows what to start even if a service does not stop', async () => {
    const { host, stop } = machineWith({
      label: 'stuck',
      stop: () => Promise.reject(new Error('it hangs.')),
    });
    await assert.rejects(suspend({ folder, stateFile, host, stop }), /it hangs/);
    assert.deepEqual(readState().services, ['stuck']);
    rmSync(stateFile);
  });

  test('starts the other services if one runs from another folder, and names the command that moves it', async (t) => {
    writeFileSync(stateFile, JSON.stringify({ services: ['elsewhere', 'platen'], copies: [] }));
    const { calls, host, stop } = machineWith({ label: 'platen' });
    const written = t.mock.method(process.stderr, 'write', () => true);
    assert.equal(await resume({ folder, stateFile, host, stop }), 1);
    written.mock.restore();
    assert.deepEqual(calls, ['start platen']);
    const message = String(written.mock.calls[0]?.arguments[0]);
    assert.match(message, /the service elsewhere was not started: .* service install with its --name/);
    assert.ok(message.includes(folder));
  });

  test('remembers copies that serve, with their data folder, and no conversions', async () => {
    const { host } = machineWith();
    const launcher = (parameters: string, data?: string) => ({
      pid: 1,
      parent: 1,
      user: 'OFFICE\\alice',
      data,
      commandLine: `"C:\\Platen\\Platen.exe" "C:\\Platen\\resources\\app.asar\\launcher.cjs" ${parameters}`,
    });
    const launchers = [
      launcher('serve --port 9000', 'C:\\Users\\alice\\Platen'),
      launcher('desktop', 'C:\\Users\\bob\\Platen'),
      launcher('convert a.html a.pdf', 'C:\\other'),
    ];
    const stop = () => Promise.resolve({ launchers, killed: [] });
    await suspend({ folder, stateFile, host, stop });
    assert.deepEqual(readState().copies, [
      { user: 'OFFICE\\alice', parameters: 'serve --port 9000', data: 'C:\\Users\\alice\\Platen' },
      { user: 'OFFICE\\alice', parameters: 'desktop', data: 'C:\\Users\\bob\\Platen' },
    ]);
    rmSync(stateFile);
  });

  test('starts nothing if nothing was suspended, and refuses a file that is no state', async () => {
    const { calls, host, stop } = machineWith({ label: 'platen' });
    assert.equal(await resume({ folder, stateFile, host, stop }), 0);
    assert.deepEqual(calls, []);
    writeFileSync(stateFile, '{"services":[{"command":"evil"}]}');
    await assert.rejects(resume({ folder, stateFile, host, stop }), /is not a state file/);
    rmSync(stateFile);
  });

  test('changes nothing without the rights that a system service requires', async () => {
    const { calls, host, stop } = machineWith({ plan: samplePlan() });
    const denied = { ...host, findObstacle: () => Promise.resolve('only an administrator may do this.') };
    await assert.rejects(suspend({ folder, stateFile, host: denied, stop }), /only an administrator/);
    assert.deepEqual(calls, []);
    assert.equal(existsSync(stateFile), false);
  });
});

describe('an uninstaller', () => {
  test('removes services, copies, login items and firewall rules, and goes on after a failure', async () => {
    const { calls, host, stop } = machineWith(
      { label: 'broken', uninstall: () => Promise.reject(new Error('access denied.')) },
      { label: 'platen' },
    );
    const commands: (readonly string[])[] = [];
    const run = (command: readonly string[]) => {
      commands.push(command);
      return Promise.resolve({ code: 0, out: '', err: '' });
    };
    const removal = { folder: 'C:\\Platen', host, stop, run, removesData: false };
    assert.equal(await remove({ ...removal, platform: 'win32' }), 1);
    assert.deepEqual(calls, ['uninstall platen', 'stop copies']);
    const programs = commands.map(([program = '']) => program.split('\\').at(-1));
    assert.deepEqual(programs, ['powershell.exe', 'netsh.exe']);
    assert.ok(commands[1]?.includes('program=C:\\Platen\\Platen.exe'));
  });

  test('keeps data folders by default, and removes those of system services with --purge', async () => {
    const data = mkdtempSync(join(root, 'data-'));
    writeFileSync(join(data, 'version.json'), '{}');
    const home = process.env.XDG_DATA_HOME;
    process.env.XDG_DATA_HOME = root;
    const { host, stop } = machineWith({ plan: samplePlan({ data }) });
    assert.equal(await remove({ folder, host, stop, removesData: false }), 0);
    assert.ok(existsSync(data));
    assert.equal(await remove({ folder, host, stop, removesData: true }), 0);
    assert.equal(existsSync(data), false);
    if (home === undefined) delete process.env.XDG_DATA_HOME;
    else process.env.XDG_DATA_HOME = home;
  });
});
