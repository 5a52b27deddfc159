/**
 * Makes a stub of Electron for Windows: Node.js as a program that, like Electron, accepts Chromium's flags, refuses arguments after a
 * URL, runs the application in the given folder or its own, and runs a script if ELECTRON_RUN_AS_NODE is set. It is a single executable application of Node.js
 * (nodejs.org/api/single-executable-applications.html).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NtExecutable, NtExecutableResource } from 'resedit';
import { electronAccepts } from './electron-arguments.ts';

const mainScript = `
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, resolve } = require('node:path');
Object.defineProperty(process.versions, 'electron', { value: '0.0.0', enumerable: true });
const load = Module._load;
const electron = { app: { exit: (code) => process.exit(code) } };
Module._load = (name, ...others) => (name === 'electron' ? electron : load(name, ...others));
const words = process.argv.slice(2);
const start = words.findIndex((word) => !word.startsWith('--'));
const path = resolve(words[start] ?? '');
const mainOf = (folder) => resolve(folder, JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')).main);
const packaged = resolve(dirname(process.execPath), 'resources', 'app.asar');
const isNode = Boolean(process.env.ELECTRON_RUN_AS_NODE);
const electronAccepts = ${electronAccepts.toString()};
if (!isNode && !electronAccepts(words)) process.exit(-1);
// Only a launcher names the application; a click, a login item or a task starts the packaged one.
const isStart = !isNode && !process.connected && existsSync(packaged);
const script = isNode ? path : mainOf(isStart ? packaged : path);
process.argv = [process.execPath, ...(isStart ? words : [script, ...words.slice(start + 1)])];
Module.createRequire(script)(script);
`;

const resourceTypeData = 10;
const language = 1033;

/** Returns the path of the program. It is made once, because it is as large as Node.js. */
export function stubElectron(): string {
  const program = join(tmpdir(), 'platen-stub-electron.exe');
  if (existsSync(program)) return program;
  const folder = mkdtempSync(join(tmpdir(), 'platen-stub-'));
  const main = join(folder, 'main.cjs');
  const output = join(folder, 'main.blob');
  const config = join(folder, 'config.json');
  writeFileSync(main, mainScript);
  writeFileSync(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true }));
  execFileSync(process.execPath, ['--experimental-sea-config', config]);
  const made = join(folder, 'electron.exe');
  writeFileSync(made, withBlob(readFileSync(process.execPath), readFileSync(output)));
  // Another test file may have made the same program.
  if (!existsSync(program)) renameSync(made, program);
  rmSync(folder, { recursive: true });
  return program;
}

/** Returns Node's executable with the blob as a resource, and with the fuse that makes Node.js run the blob. */
function withBlob(node: Buffer, blob: Buffer): Buffer {
  const executable = NtExecutable.from(node, { ignoreCert: true });
  const resources = NtExecutableResource.from(executable);
  resources.entries.push({
    type: resourceTypeData,
    id: 'NODE_SEA_BLOB',
    lang: language,
    codepage: 0,
    bin: new Uint8Array(blob).buffer,
  });
  resources.outputResource(executable);
  const made = Buffer.from(executable.generate());
  const fuse = made.indexOf('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:0');
  made.write('1', fuse + 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:'.length);
  return made;
}
