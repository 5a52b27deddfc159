/** Installs the libraries that the pages of the corpus use, from test/fixtures/real/package-lock.json. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { project } from '../support/service/service.ts';

export const corpus = join(project, 'test', 'fixtures', 'real');

/** The maximum number of characters of npm's output in a message: the first lines contain the cause. */
const longestReason = 600;

const lockPollMs = 250;

/**
 * Installs the libraries if they are missing or out of date. Concurrent processes wait for the first one.
 * @param folder A folder with package.json and package-lock.json.
 * @throws Error if npm fails to install the libraries
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

/** Waits for the lock, and resolves with a function that releases it. Ignores the lock of a process that has ended. */
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
    // The file is empty between its creation and the first write.
    if (owner !== '') process.kill(Number(owner), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function runNpm(folder: string): Promise<void> {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  // With npm's default retries, an unreachable registry is reported only after more than a minute.
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
