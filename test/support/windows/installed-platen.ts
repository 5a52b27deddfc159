/** Lays out Platen as an installer for Windows does, with a stub of Electron (stub-electron.ts). */
import { copyFileSync, cpSync, linkSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../service/service.ts';
import { stubElectron } from './stub-electron.ts';

/** The packages that the launcher loads at run time (build/setup/compile.mjs). */
const runtimePackages = ['@photostructure/sqlite', 'node-gyp-build', 'node-addon-api'];

export interface InstalledPlaten {
  readonly folder: string;
  /** Path of the executable. */
  readonly program: string;
  /** Path of the command line, platen.cmd. */
  readonly command: string;
  /** Path of the launcher, which the command line runs. */
  readonly launcher: string;
}

/** Installs the compiled launcher. `service` is the text of the program that takes the place of the service. */
export function installPlaten(folder: string, service = ''): InstalledPlaten {
  const installed = {
    folder,
    program: join(folder, 'Platen.exe'),
    command: join(folder, 'bin', 'platen.cmd'),
    launcher: join(folder, 'resources', 'app.asar', 'launcher.cjs'),
  };
  const application = join(folder, 'resources', 'app.asar');
  const compiled = join(application, '.build');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  mkdirSync(compiled, { recursive: true });
  linkSync(stubElectron(), installed.program);
  const files = join(project, 'build', 'packaging', 'files');
  copyFileSync(join(files, 'platen.cmd'), installed.command);
  copyFileSync(join(files, 'launcher.cjs'), installed.launcher);
  copyFileSync(join(files, 'start.cjs'), join(application, 'start.cjs'));
  writeFileSync(join(application, 'package.json'), JSON.stringify({ version: '0.1.0', main: 'start.cjs' }));
  for (const name of readdirSync(join(project, '.build')).filter((file) => file.endsWith('.cjs')))
    copyFileSync(join(project, '.build', name), join(compiled, name));
  writeFileSync(join(compiled, 'service.cjs'), service);
  for (const name of runtimePackages)
    cpSync(join(project, 'node_modules', name), join(application, 'node_modules', name), { recursive: true });
  return installed;
}
