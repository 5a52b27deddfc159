/** The command line as installed on Windows: platen.cmd in cmd.exe, and the commands that Platen prints or gives to Windows. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { XMLParser } from 'fast-xml-parser';
import { oneTimeTaskXml } from '../../main/cli/service/task-scheduler.ts';
import { restartArguments } from '../../main/cli/service/installer/restart-copy.ts';
import { packagedProgram, quoteForWindows } from '../../main/launch/launcher-command.ts';
import { windowsTool } from '../../main/launch/run-program.ts';
import { installPlaten, type InstalledPlaten } from '../support/windows/installed-platen.ts';

let root = '';
let data = '';
let installed: InstalledPlaten;
before(() => {
  root = mkdtempSync(join(tmpdir(), 'platen-command-'));
  // Characters with a meaning in cmd.exe, and one outside of the code page of most systems.
  installed = installPlaten(join(root, 'Plät & Žluť (x86)'));
  copyFileSync(installed.launcher, `${installed.launcher}.original`);
});
after(async () => {
  // Wine's schtasks leaves a process that keeps a file open.
  await rm(root, { recursive: true, maxRetries: 5 }).catch(() => {});
});
beforeEach(() => {
  copyFileSync(`${installed.launcher}.original`, installed.launcher);
  data = mkdtempSync(join(root, 'Daten & mehr '));
});

interface CommandLineResult {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/** Runs a line in cmd.exe, as a person types it. */
function runLine(line: string, input = ''): Promise<CommandLineResult> {
  // With /s, cmd.exe removes the first and the last quote and leaves the others.
  const words = ['/d', '/s', '/c', `"${line}"`];
  return resultOf(spawn(windowsTool('cmd'), words, { windowsVerbatimArguments: true }), input);
}

function resultOf(child: ChildProcessWithoutNullStreams, input = ''): Promise<CommandLineResult> {
  let out = '';
  let error = '';
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (error += bytes.toString()));
  child.stdin.end(input);
  return new Promise((resolve) => {
    child.once('close', (code) => {
      resolve({ code, out, error });
    });
  });
}

const platen = (words: readonly string[], input?: string) =>
  runLine([installed.command, ...words].map(quoteForWindows).join(' '), input);

/** Replaces the launcher with a program that writes its arguments to a file. Returns a function that reads them. */
function recordArguments(): () => unknown {
  const file = join(data, 'arguments.json');
  writeFileSync(
    installed.launcher,
    `require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.argv.slice(2)));\nprocess.exitCode = 7;\n`,
  );
  return () => JSON.parse(readFileSync(file, 'utf8')) as unknown;
}

interface ParsedTask {
  readonly Task: { readonly Actions: { readonly Exec: Readonly<Record<string, string>> } };
}

/** Runs the command line of a task, as the Task Scheduler does. */
function runTask(xml: string): Promise<CommandLineResult> {
  const { Task } = new XMLParser({ ignoreDeclaration: true }).parse(xml) as ParsedTask;
  const { Command = '', Arguments = '' } = Task.Actions.Exec;
  assert.doesNotMatch(
    Command,
    /\.(cmd|bat)$/i,
    'the Task Scheduler does not quote the command line of a batch file',
  );
  return resultOf(spawn(Command, [Arguments], { windowsVerbatimArguments: true }));
}

describe('platen.cmd', () => {
  test('passes its arguments and the exit code, in a folder with blanks, umlauts and an ampersand', async () => {
    const read = recordArguments();
    const words = [
      'convert',
      'a b.html',
      'ä&ž.html',
      '--header',
      'a (b) ^ c',
      '',
      'C:\\my data\\',
      'x=1,2;3',
    ];
    assert.equal((await platen(words)).code, 7);
    assert.deepEqual(read(), words);
  });

  test('runs the command line: settings', async () => {
    assert.deepEqual(
      await platen(['config', 'set', '-', '--data', data], '{"port": 9123, "workers": 2}').then(
        ({ code }) => code,
      ),
      0,
    );
    const shown = await platen(['config', 'show', '--json', '--data', data]);
    assert.equal(shown.code, 0, shown.error);
    assert.match(shown.out, /9123/);
    const wrong = await platen(['config', 'set', 'port', '70000', '--data', data]);
    assert.equal(wrong.code, 2, wrong.error);
    assert.match(wrong.error, /port/);
  });

  test('runs the command line: accounts, in the database', async () => {
    const added = await platen(['account', 'add', 'ann', '--credits', '12', '--data', data]);
    assert.equal(added.code, 0, added.error);
    const listed = await platen(['account', 'list', '--json', '--data', data]);
    assert.equal(listed.code, 0, listed.error);
    assert.match(listed.out, /"ann"/);
    assert.equal((await platen(['account', 'add', 'ann', '--data', data])).code, 1);
  });
});

describe('A command line that Platen prints or gives to Windows', () => {
  test('of the service starts the launcher with the arguments of the plan', async () => {
    const folder = join(data, 'ä & b');
    const { code, out, error } = await platen(['service', 'install', '--print', '--data', folder]);
    assert.equal(code, 0, error);
    const read = recordArguments();
    assert.equal((await runTask(out)).code, 7);
    assert.deepEqual(read(), ['serve', '--data', folder, '--tray', 'off']);
  });

  test('of the check of a new service writes its output to a file', async () => {
    const folder = join(data, 'ä & b');
    mkdirSync(folder);
    const output = join(folder, 'output & more.txt');
    const plan = {
      name: 'platen',
      scope: 'system' as const,
      as: 'NT AUTHORITY\\LocalService',
      data: folder,
      writable: [],
      program: [installed.command],
      readPaths: [],
      hasPrivilegedPort: false,
    };
    await runTask(oneTimeTaskXml(plan, ['config', 'show', '--data', folder], output));
    assert.match(readFileSync(output, 'utf8'), /port/);
  });

  test('of the MSI stops nothing, without an error, if the program was removed', async () => {
    // As the action PlatenSuspend (build/packaging/windows/msi-actions.cjs).
    const batchFile = quoteForWindows(installed.command);
    const suspend = (program: string) =>
      runLine(`if exist ${quoteForWindows(program)} if exist ${batchFile} ${batchFile} service suspend`);
    const read = recordArguments();
    assert.equal((await suspend(installed.program)).code, 7);
    assert.deepEqual(read(), ['service', 'suspend']);
    assert.equal((await suspend(join(installed.folder, 'removed.exe'))).code, 0);
  });

  test('of a user starts Platen.exe with flags that contain a URL', async () => {
    const [program = '', ...words] = packagedProgram(installed.program, 'win32', {});
    const flags = ['--data', data, '--base-url', 'https://pdf.example', '--port', '9'];
    const read = recordArguments();
    const start = (line: string) =>
      resultOf(spawn(program, [line], { windowsVerbatimArguments: true, argv0: quoteForWindows(program) }));
    const { code } = await start([...words, 'serve', ...flags].map(quoteForWindows).join(' '));
    assert.equal(code, 7);
    assert.deepEqual(read(), ['serve', ...flags]);
    const parameters = ['--wait', 'serve', ...flags].map(quoteForWindows).join(' ');
    assert.equal((await start(restartArguments({ user: '', parameters, data }))).code, 7);
    assert.deepEqual(read(), ['serve', ...flags, '--data', data]);
    assert.notEqual((await start(parameters)).code, 7, 'the stub refuses these flags, as Electron does');
  });

  test('as advice runs the command that it names', async () => {
    const { code, error } = await platen(['service', 'start', '--user']);
    assert.equal(code, 1);
    const [, advice = ''] = /install it: (.*)/.exec(error) ?? [];
    const read = recordArguments();
    assert.equal((await runLine(advice)).code, 7, advice);
    assert.deepEqual(read(), ['service', 'install', '--user']);
  });
});
