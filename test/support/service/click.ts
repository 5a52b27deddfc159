/** Starts Platen as a click does: without a terminal. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ClientTarget, FailedStart } from '../../../main/launch/messages.ts';
import { project, temporaryFolder } from './service.ts';

interface ClickOptions {
  /** The folder of the program; default: the built one. */
  readonly program?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** The id of the user who clicks. */
  readonly uid?: number;
}

/** Starts `platen desktop` as a desktop does: without a terminal, and without waiting for it. */
export function click(
  flags: readonly string[],
  { program = project, environment = {}, uid }: ClickOptions = {},
): ChildProcess {
  const child = spawn(process.execPath, [join(program, '.build', 'platen.cjs'), 'desktop', ...flags], {
    stdio: 'ignore',
    detached: true,
    ...(uid !== undefined && { uid, gid: uid }),
    env: { ...process.env, CI: '', PLATEN_TRAY: '', DISPLAY: ':none', ...environment },
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}

export async function exitCode(child: ChildProcess): Promise<number | null> {
  return ((await once(child, 'exit')) as [number | null])[0];
}

/**
 * Makes a copy of the command line whose Electron is a script. As the service, the script writes `serviceError` and exits with
 * `serviceExitCode`; as the dialog or the
 * desktop client, it stores what it would show.
 */
export function stubbedProgram({ serviceError = '', serviceExitCode = 1 } = {}) {
  const folder = temporaryFolder();
  const dialogFile = join(folder, 'dialog.json');
  const clientFile = join(folder, 'client.json');
  const readJson = (file: string) =>
    existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown) : undefined;
  const electron = join(folder, 'electron.cjs');
  mkdirSync(join(folder, '.build'));
  for (const name of ['.build/platen.cjs', '.build/platen-program.cjs', 'package.json'])
    copyFileSync(join(project, name), join(folder, name));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, '.build', 'runtime.json'), JSON.stringify({ electron }));
  writeFileSync(
    electron,
    `#!${process.execPath}
const { PLATEN_FAILED_START: dialog, PLATEN_CLIENT: client } = process.env;
const { writeFileSync } = require('node:fs');
if (dialog !== undefined) {
  writeFileSync(${JSON.stringify(dialogFile)}, dialog);
  process.send('shown', () => process.exit(0));
} else if (client !== undefined) {
  writeFileSync(${JSON.stringify(clientFile)}, client);
  process.exit(0);
} else process.stderr.write(${JSON.stringify(`${serviceError}\n`)}, () => process.exit(${serviceExitCode}));
`,
    { mode: 0o755 },
  );
  return {
    folder,
    data: join(folder, 'data'),
    /** Returns what the dialog shows; undefined if there is none. */
    dialog: () => readJson(dialogFile) as FailedStart | undefined,
    /** Returns what a desktop client shows; undefined if there is none. */
    client: () => readJson(clientFile) as ClientTarget | undefined,
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true });
    },
  };
}
