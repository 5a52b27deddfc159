/** Installs the libraries of the corpus from test/fixtures/real/package-lock.json. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { project } from '../support/service.ts';

export const corpus = join(project, 'test', 'fixtures', 'real');

/** The cause is in the first lines of `npm ci`; more lines would hide it. */
const longestReason = 600;

const lockPollMs = 250;

/**
 * Installs the libraries if they are missing. Concurrent processes wait for the first one.
 * @param folder a folder with package.json and package-lock.json
 * @throws Error when npm fails to install them
 */
export async function installLibraries(folder = corpus): Promise<void> {
  const stamp = join(folder, 'node_modules', '.fingerprint');
  const fingerprint = fingerprintOf(folder);
  const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint;
  if (isInstalled()) return;
  const release = await lock(folder);
  try {
    if (isInstalled()) return;
    process.stderr.write('Installing the libraries of the corpus (npm ci, about 700 MB on disk).\n');
    await runNpm(folder);
    writeFileSync(stamp, fingerprint);
  } finally {
    release();
  }
}

function fingerprintOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(folder, name)));
  return hash.digest('hex');
}

/** Resolves with a function that releases the lock. The lock of a dead process is taken over. */
async function lock(folder: string): Promise<() => void> {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  const file = join(project, '.build', `libraries-${name}.lock`);
  mkdirSync(join(project, '.build'), { recursive: true });
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (!ownerIsAlive(file)) rmSync(file, { force: true });
    await sleep(lockPollMs);
  }
  const release = () => {
    rmSync(file, { force: true });
  };
  process.once('exit', release);
  return () => {
    process.off('exit', release);
    release();
  };
}

function ownerIsAlive(file: string): boolean {
  try {
    const owner = readFileSync(file, 'utf8');
    // Between its creation and the first write, the file is empty.
    if (owner !== '') process.kill(Number(owner), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function runNpm(folder: string): Promise<void> {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  // npm's retries would hide an unreachable registry for over a minute.
  const retries = ['--fetch-retries=2', '--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=8000'];
  const child = spawn('npm', ['ci', ...options, ...retries], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return;
  const reason = errors
    .split('\n')
    .filter((line) => line.startsWith('npm error'))
    .join('\n')
    .slice(0, longestReason);
  throw new Error(
    `The libraries of the corpus could not be installed in ${folder}: check that \`npm ping\` reaches a registry, then run \`npm ci --ignore-scripts\` there.\n${reason}`,
  );
}
