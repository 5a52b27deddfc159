/** What a failed start shows to a user who has no terminal (`platen desktop`). */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { lockDataFolder } from '../../main/launch/data-folder-lock.ts';
import { listenForShowRequests } from '../../main/launch/request-file.ts';
import { click, exitCode, stubbedProgram } from '../support/service/click.ts';
import { serveWeb } from '../support/servers/web-server.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe(
  'A start without a terminal that fails',
  { skip: process.platform !== 'linux' && 'uses X11' },
  () => {
    test(
      'opens a dialog on the desktop',
      { skip: !isInstalled('xwininfo') && 'xwininfo is not installed' },
      async () => {
        await using display = await startDisplay();
        const { name } = display;
        const data = temporaryFolder();
        await using web = await serveWeb({});
        const code = exitCode(
          click(['--port', String(web.port), '--data', data], { environment: { DISPLAY: name } }),
        );
        const windows = () =>
          // Fails if a window is closed meanwhile.
          spawnSync('xwininfo', ['-root', '-tree', '-display', name], { encoding: 'utf8' }).stdout;
        await waitUntil('a window with the title Platen', () => windows().includes('"Platen": ('));
        assert.equal(await code, 1);
        rmSync(data, { recursive: true });
      },
    );

    test('shows the sentence of the service and its log file', async () => {
      using program = stubbedProgram({
        serviceError: '{"level":60}\nplaten: port 80 on 127.0.0.1 is taken.',
      });
      assert.equal(await exitCode(click(['--data', program.data], { program: program.folder })), 1);
      const logFile = join(program.data, 'platen.log');
      assert.deepEqual(program.dialog(), { sentence: 'port 80 on 127.0.0.1 is taken.', logFile });
      assert.match(readFileSync(logFile, 'utf8'), /"level":60.*port 80 on 127\.0\.0\.1 is taken/);
    });

    test('shows the message of the system if Electron cannot be loaded', async () => {
      const serviceError = 'electron: error while loading shared libraries: libnss3.so';
      using program = stubbedProgram({ serviceError, serviceExitCode: 127 });
      await exitCode(click(['--data', program.data], { program: program.folder }));
      assert.equal(program.dialog()?.sentence, serviceError);
    });

    test('shows what is wrong with a setting, and names the log file of the settings', async () => {
      using program = stubbedProgram();
      const flags = ['--data', program.data, '--port', 'high', '--log-file', 'logs/own.log'];
      assert.equal(await exitCode(click(flags, { program: program.folder })), 2);
      assert.match(program.dialog()?.sentence ?? '', /^--port: the value 'high' is not allowed/);
      assert.equal(program.dialog()?.logFile, join(program.data, 'logs', 'own.log'));
      assert.match(readFileSync(join(program.data, 'logs', 'own.log'), 'utf8'), /--port/);
    });

    test('shows a data folder that cannot be used, without a log file in it', async () => {
      using program = stubbedProgram();
      writeFileSync(program.data, 'a file');
      assert.equal(await exitCode(click(['--data', program.data], { program: program.folder })), 1);
      assert.match(program.dialog()?.sentence ?? '', /^the data folder .*data cannot be used: it is a file/);
      assert.equal(program.dialog()?.logFile, undefined);
    });

    test('opens no dialog if the tray is off, in CI, without a desktop, or in a terminal', async () => {
      using program = stubbedProgram();
      const start = (environment: NodeJS.ProcessEnv, ...flags: string[]) =>
        exitCode(
          click(['--data', program.data, '--port', 'high', ...flags], {
            program: program.folder,
            environment,
          }),
        );
      assert.equal(await start({}, '--tray', 'off'), 2);
      assert.equal(await start({ CI: 'true' }), 2);
      assert.equal(await start({ DISPLAY: '' }), 2);
      const command = `'${process.execPath}' '${join(program.folder, '.build', 'platen.cjs')}' desktop --port high`;
      const { stdout } = spawnSync(
        'script',
        ['--quiet', '--return', '--command', command, join(program.folder, 'typescript')],
        {
          encoding: 'utf8',
          env: { ...process.env, CI: '', PLATEN_TRAY: '', DISPLAY: ':none', PLATEN_DATA: program.data },
        },
      );
      assert.match(stdout, /platen: --port: the value 'high' is not allowed/);
      assert.equal(program.dialog(), undefined);
    });
  },
);

describe('A click while Platen is running', () => {
  test('shows the window of the running service, and no dialog', async () => {
    using program = stubbedProgram();
    using _lock = lockDataFolder(program.data);
    let requests = 0;
    using _listener = listenForShowRequests(program.data, () => (requests += 1));
    assert.equal(await exitCode(click(['--data', program.data], { program: program.folder })), 0);
    await waitUntil('the request for the window', () => requests > 0);
    assert.equal(program.dialog(), undefined);
  });

  test('waits for the window of a service that is starting', async () => {
    using program = stubbedProgram();
    using _lock = lockDataFolder(program.data);
    const code = exitCode(click(['--data', program.data], { program: program.folder }));
    assert.equal(
      await Promise.race([code, new Promise((resolve) => setTimeout(resolve, 1000, 'waiting'))]),
      'waiting',
    );
    let requests = 0;
    using _listener = listenForShowRequests(program.data, () => (requests += 1));
    assert.equal(await code, 0);
    await waitUntil('the request for the window', () => requests > 0);
  });
});

function isInstalled(program: string): boolean {
  return spawnSync(program, ['-version']).error === undefined;
}

/** Starts an X server that, unlike that of the launcher, continues when the service has ended and the dialog is not open yet. */
async function startDisplay() {
  // Without -noreset, the server restarts when its last client leaves, and refuses connections meanwhile.
  const parameters = ['-displayfd', '1', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp', '-noreset'];
  const server = spawn('Xvfb', parameters, {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = (await once(server.stdout, 'data')) as [Buffer];
  return {
    name: `:${number.toString().trim()}`,
    async [Symbol.asyncDispose]() {
      server.kill();
      await once(server, 'exit');
    },
  };
}
