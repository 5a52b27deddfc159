/** Packs the client package from client/ and installs it with npm, so that a program can import it by name. */
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as indexModule from '../../../client/index.ts';
import type * as nodeModule from '../../../client/node.ts';
import { project } from '../service/service.ts';

export interface InstalledClient {
  /** A folder whose programs can import the package. */
  readonly folder: string;
  /** The folder `dist` of the installed package. */
  readonly dist: string;
  readonly index: typeof indexModule;
  readonly node: typeof nodeModule;
}

/** Installs the package in the folder. @throws Error with the output of npm */
export async function installClient(folder: string): Promise<InstalledClient> {
  npm(['pack', './client', '--pack-destination', folder], project);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'no tarball';
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  npm(['install', '--offline', '--no-save', join(folder, tarball)], folder);
  const dist = join(folder, 'node_modules', 'platen-client', 'dist');
  const load = (name: string) => import(pathToFileURL(join(dist, name)).href) as Promise<unknown>;
  return {
    folder,
    dist,
    index: (await load('index.js')) as InstalledClient['index'],
    node: (await load('node.js')) as InstalledClient['node'],
  };
}

function npm(parameters: readonly string[], folder: string): void {
  const flags = ['--no-audit', '--no-fund', '--no-update-notifier'];
  const { status, stdout, stderr } = spawnSync('npm', [...parameters, ...flags], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm ${parameters.join(' ')}: ${stdout}${stderr}`);
}
