/** The packages of the peers: fetched once into the cache folder of this user, pinned, never dependencies of the project. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { project } from '../../support/service.ts';

/** chrome-headless-shell 153 comes inside the second. */
const packages = { 'puppeteer-core': '24.43.1', '@sparticuz/chromium': '153.0.0' } as const;

/** The folder they are in, with node_modules; undefined where the registry does not give them. */
export async function peerPackages(): Promise<string | undefined> {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'platen');
  const folder = join(cache, `bench-peers-${Object.values(packages).join('-')}`);
  const whole = join(folder, 'whole');
  if (existsSync(whole)) return folder;
  process.stderr.write('Fetching the peers from the package registry (80 MB, once per user).\n');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  // Chromium is in its package; nothing of theirs needs a script to be run.
  const options = ['--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
  if (!(await npm(['install', '--prefix', folder, ...options, ...names]))) return undefined;
  writeFileSync(whole, '');
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
