/**
 * Installs the npm packages of the peers, in fixed versions, once into the user's cache folder. They are not dependencies of the
 * project.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { project } from '../../support/service/service.ts';

/** The packages and their versions. @sparticuz/chromium contains chrome-headless-shell 153. */
const packages = { 'puppeteer-core': '24.43.1', '@sparticuz/chromium': '153.0.0' } as const;

/** Returns the folder whose node_modules contains the packages; undefined if they cannot be installed. */
export async function peerPackages(): Promise<string | undefined> {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'platen');
  const folder = join(cache, `bench-peers-${Object.values(packages).join('-')}`);
  const completeMarker = join(folder, 'whole');
  if (existsSync(completeMarker)) return folder;
  process.stderr.write('Fetching the peers from the package registry (80 MB, once per user).\n');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  // The package contains Chromium; no install script is needed.
  const options = ['--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
  if (!(await npm(['install', '--prefix', folder, ...options, ...names]))) return undefined;
  writeFileSync(completeMarker, '');
  return folder;
}

function npm(parameters: readonly string[]): Promise<boolean> {
  const child = spawn('npm', parameters, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve) => {
    child.once('error', () => {
      resolve(false);
    });
    child.once('exit', (code) => {
      resolve(code === 0);
    });
  });
}
