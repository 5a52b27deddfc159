/** The desktop client: what a click opens if a service is already running (docs/decisions/0050-desktop-client.md). */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { _electron, type ElectronApplication } from 'playwright-core';
import { planNote } from '../../main/cli/service/plan.ts';
import { openDisplay } from '../../main/launch/display.ts';
import { clientVariable, type ClientTarget } from '../../main/launch/messages.ts';
import { electron } from '../support/console/console-window.ts';
import { operatorOf } from '../support/console/operator.ts';
import { click, exitCode, stubbedProgram } from '../support/service/click.ts';
import { project, startService, temporaryFolder } from '../support/service/service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Writes a unit as `platen service install --user` does, and returns the environment of a user who has it. */
function installUnit(folder: string, plan: { data: string; url?: string }): NodeJS.ProcessEnv {
  const units = join(folder, 'config', 'systemd', 'user');
  mkdirSync(units, { recursive: true });
  const note = planNote({ name: 'platen', scope: 'user', as: 'someone', writable: [], ...plan });
  writeFileSync(join(units, 'platen.service'), `# ${note}\n\n[Service]\n`);
  return {
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_DATA_HOME: join(folder, 'share'),
    PLATEN_DATA: '',
  };
}

/** Starts a client as the launcher does, but without credentials from the launcher. */
async function startClient(target: ClientTarget) {
  const display = await openDisplay();
  const home = temporaryFolder();
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const app = await _electron.launch({
    executablePath: electron(),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--ozone-platform=x11', project],
    env: {
      ...(Object.fromEntries(inherited) as Record<string, string>),
      ...display.environment,
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      [clientVariable]: JSON.stringify(target),
    },
  });
  return {
    app,
    page: await app.firstWindow(),
    async [Symbol.asyncDispose]() {
      await end(app);
      await display[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function end(app: ElectronApplication): Promise<void> {
  await app.close().catch(() => {});
}

describe(
  'A click while a service without a window is running',
  { skip: process.platform !== 'linux' },
  () => {
    test('opens a window of that service, signed in with a key that ends with the window', async () => {
      await using display = await openDisplay();
      const name = display.environment.DISPLAY ?? process.env.DISPLAY ?? '';
      await using service = await startService();
      const operator = operatorOf(service);
      const folder = temporaryFolder();
      const environment = { ...installUnit(folder, service), DISPLAY: name };
      assert.equal(await exitCode(click([], { environment })), 0);

      const windowKeys = async () => {
        const keys = await operator.call('keys', { name: 'admin' });
        return keys.filter((key) => key.name === 'desktop window');
      };
      await waitUntil(
        'the window uses its key',
        async () => (await windowKeys())[0]?.lastUsedAt !== undefined,
      );
      assert.equal(
        existsSync(join(folder, 'share', 'platen', 'platen.lock')),
        false,
        'a second service was started',
      );
      if (spawnSync('xwininfo', ['-version']).error === undefined)
        await waitUntil('the window has the title of the console', () =>
          execFileSync('xwininfo', ['-root', '-tree', '-display', name], { encoding: 'utf8' }).includes(
            '"Platen"',
          ),
        );

      assert.equal(await exitCode(click([], { environment })), 0, 'a second click');
      assert.equal((await windowKeys()).length, 1, 'the second click made a second client');

      process.kill(clientPid(service.data), 'SIGTERM');
      await waitUntil('the key is revoked', async () => (await windowKeys())[0]?.revokedAt !== undefined);
      // The test runner deletes the folder, because the client still writes to its profile while it ends.
    });

    test('finds a service that uses the own data folder but has no window', async () => {
      await using service = await startService();
      using program = stubbedProgram();
      assert.equal(await exitCode(click(['--data', service.data], { program: program.folder })), 0);
      assert.deepEqual(program.client(), { data: service.data, logsFolder: service.data });
      assert.equal(program.dialog(), undefined);
    });

    test('starts the own service if the installed one is not running', async () => {
      using program = stubbedProgram({ serviceError: 'platen: stub.' });
      const environment = installUnit(program.folder, { data: join(program.folder, 'service') });
      assert.equal(await exitCode(click([], { program: program.folder, environment })), 1);
      assert.equal(program.client(), undefined);
      assert.equal(program.dialog()?.sentence, 'stub.');
    });

    const needsRoot = process.getuid?.() === 0 ? false : 'only root can start the program as another user';
    test(
      'gives a user who cannot read the data folder the URL of the installation',
      { skip: needsRoot },
      async () => {
        await using service = await startService();
        using program = stubbedProgram();
        const environment = installUnit(program.folder, service);
        for (const path of readdirSync(program.folder, { recursive: true }))
          if (!String(path).startsWith('node_modules')) chmodSync(join(program.folder, String(path)), 0o777);
        chmodSync(program.folder, 0o777);
        const start = click([], { program: program.folder, environment, uid: 65_534 });
        assert.equal(await exitCode(start), 0);
        assert.deepEqual(program.client(), { data: service.data, url: service.url });
      },
    );
  },
);

describe('A desktop client without a key', () => {
  test('asks for a user name and a key, refuses wrong ones, and then shows the console', async () => {
    await using service = await startService();
    const key = await operatorOf(service).call('addKey', { name: 'admin', purpose: 'test' });
    await using client = await startClient({ data: '/nowhere', url: service.url });
    const { page } = client;
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const submit = async (text: string) => {
      await page.getByLabel('User name').fill('admin');
      await page.getByLabel('Key').fill(text);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await submit('wrong');
    await page.getByRole('alert').waitFor();
    await submit(key.key);
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    assert.equal(page.url(), `${service.url}/`);
    // Other origins get nothing, not even a navigation.
    await page.evaluate(() => (location.href = 'http://127.0.0.1:9/'));
    assert.equal(page.url(), `${service.url}/`);
    assert.doesNotMatch(service.log(), new RegExp(key.key));
  });

  test('waits for a service that is not running, and follows it to another port', async () => {
    const data = temporaryFolder();
    await using client = await startClient({ data });
    const { page } = client;
    const waiting = page.getByRole('heading', { name: 'The service is not running' });
    await waiting.waitFor();
    for (let start = 1; start <= 2; start += 1) {
      const service = await startService({ data });
      await page.getByText(`at ${service.url}.`).waitFor();
      await service.stop();
      await waiting.waitFor();
    }
    rmSync(data, { recursive: true });
  });
});

/** Returns the id of the client's process for this data folder. */
function clientPid(data: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      const isMain = !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=');
      return isMain && environment.includes(`${clientVariable}={"data":"${data}"`);
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error('the client is not running');
  return Number(found);
}
