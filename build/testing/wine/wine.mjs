/** Runs Windows programs under Wine, in a temporary Windows installation, which Wine calls a prefix. */

import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { onExit } from '../../setup/on-exit.mjs';
import { BuildProblem, print } from '../../setup/problem.mjs';

/** How Windows programs name the files of this system. @type {import('../compile-tests.mjs').PathStyle} */
export const winePaths = {
  path: (file) => `Z:${file.replaceAll('/', '\\')}`,
  url: (file) => pathToFileURL(file).href.replace('file:///', 'file:///Z:/'),
};

/** Returns the path on this system of a file that Windows programs name. @param {string} file such as `Z:\tmp\a` */
export function unixPath(file) {
  return /^Z:/i.test(file) ? file.slice(2).replaceAll('\\', '/') : file;
}

/** A Windows installation. Its programs end when it is closed. */
export class Wine {
  #prefix;
  #removeHook;

  constructor() {
    this.#prefix = mkdtempSync(path.join(tmpdir(), 'platen-wine-'));
    this.#removeHook = onExit(() => this.#remove());
  }

  /** The environment variables of programs that start other Windows programs in this installation. */
  get environment() {
    return {
      ...process.env,
      WINEPREFIX: this.#prefix,
      WINEARCH: 'win64',
      WINEDEBUG: '-all',
      // Without these libraries, Wine neither asks for Mono and Gecko nor looks for a display.
      WINEDLLOVERRIDES: 'mscoree=;mshtml=;winemenubuilder.exe=',
      DISPLAY: '',
    };
  }

  /** Creates the installation as Windows 10. @throws {BuildProblem} if Wine cannot create it */
  async create() {
    print('Creating a Windows installation for Wine.');
    const settings = [
      ['HKCU\\Software\\Wine', 'Version', 'REG_SZ', 'win10'],
      // A crashed program ends instead of showing a window.
      ['HKCU\\Software\\Wine\\WineDbg', 'ShowCrashDialog', 'REG_DWORD', '0'],
    ];
    const commands = [
      ['wineboot', '--init'],
      ...settings.map(([key, name, type, value]) => [
        'reg',
        'add',
        key,
        '/v',
        name,
        '/t',
        type,
        '/d',
        value,
        '/f',
      ]),
    ];
    for (const command of commands) {
      const code = await this.run(command, { minutes: 5 });
      if (code !== 0)
        throw new BuildProblem(
          `Wine could not create a Windows installation (\`${command.join(' ')}\` ended with exit code ${code}): run \`wine ${command.join(' ')}\` to see the error.`,
        );
    }
  }

  /**
   * Runs a Windows program and returns its exit code. The program's standard streams are files, because Node.js cannot use the pipes
   * of another system.
   * @param {string[]} command
   * @param {{ minutes: number, output?: string, folder?: string }} options `output`: the file for standard output and error
   * @returns {Promise<number | undefined>} undefined if the time limit ended the program
   */
  run([program, ...args], { minutes, output = '/dev/null', folder = this.#prefix }) {
    const file = openSync(output, 'w');
    const child = spawn('wine', [program, ...args], {
      cwd: folder,
      env: this.environment,
      stdio: ['ignore', file, file],
    });
    closeSync(file);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        resolve(undefined);
      }, minutes * 60_000);
      const end = (/** @type {() => void} */ settle) => {
        clearTimeout(timer);
        settle();
      };
      child.on('error', (error) => end(() => reject(error)));
      child.on('exit', (code) => end(() => resolve(code ?? 1)));
    });
  }

  close() {
    this.#removeHook();
    this.#remove();
  }

  #remove() {
    // Ends the programs of this installation only.
    spawnSync('wineserver', ['-k'], { env: this.environment, stdio: 'ignore' });
    rmSync(this.#prefix, { recursive: true, force: true, maxRetries: 5 });
  }
}
