/**
 * A smoke test of the packaged application: starts the service, converts, loads the console, stops the service, runs the self-test.
 */

import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onExit } from '../setup/on-exit.mjs';
import { BuildProblem } from '../setup/problem.mjs';

/** A PDF, a WebP image, which needs the image encoder, and an encrypted PDF, which needs the finishing threads and WebAssembly. */
const jobs = [
  { fields: { text: '<h1>Letter</h1>' }, begins: '%PDF-' },
  { fields: { text: '<h1>Image</h1>', output_format: 'webp' }, begins: 'RIFF' },
  { fields: { text: '<h1>Secret</h1>', encrypt: 'true', user_password: 'a' }, begins: '%PDF-' },
];

const demoCredentials = `Basic ${Buffer.from('demo:demo').toString('base64')}`;

/**
 * The user that runs the application (default: the current user), and additional environment variables.
 * @typedef {{ uid?: number, gid?: number, env?: NodeJS.ProcessEnv }} TestUser
 */

/**
 * Runs the smoke test. @param {string} target the application folder @param {TestUser} [who]
 * @throws {BuildProblem} if a step fails
 */
export async function smokeTest(target, who = {}) {
  const data = mkdtempSync(path.join(os.tmpdir(), 'platen-try-out-'));
  if (who.uid !== undefined) chownSync(data, who.uid, who.gid ?? who.uid);
  const program = path.join(target, 'platen');
  // Because of its fuses, Electron must ignore NODE_OPTIONS; otherwise it fails to start, since the file does not exist.
  const env = { ...process.env, HOME: data, ...who.env, NODE_OPTIONS: '--require=/nowhere.cjs' };
  const options = { ...who, env, cwd: data };
  const args = ['--data', data, '--log-level', 'error'];
  const service = spawn(program, ['serve', '--port', '0', ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const cleanUp = () => {
    service.kill('SIGKILL');
    rmSync(data, { recursive: true, force: true });
  };
  const removeHook = onExit(cleanUp);
  try {
    const url = await listening(service);
    for (const job of jobs) await convert(url, job);
    await openConsole(url);
    await stop(service);
    await runSelfTest(
      spawn(program, ['self-test', ...args], { ...options, stdio: ['ignore', 'pipe', 'inherit'] }),
    );
  } finally {
    cleanUp();
    removeHook();
  }
}

/** @param {import('node:child_process').ChildProcess} selfTest @returns {Promise<void>} */
function runSelfTest(selfTest) {
  let output = '';
  selfTest.stdout?.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    selfTest.once('error', reject);
    selfTest.once('close', (code) =>
      code === 0 ? resolve() : reject(broken(`its self-test ended with exit code ${code}:\n${output}`)),
    );
  });
}

/** @param {import('node:child_process').ChildProcess} service @returns {Promise<string>} the URL of the service */
function listening(service) {
  return new Promise((resolve, reject) => {
    if (service.stdout)
      createInterface({ input: service.stdout }).on('line', (line) => {
        const address = /Platen listening on (\S+)/.exec(line)?.[1];
        if (address) resolve(address);
      });
    service.once('error', reject);
    service.once('exit', () => reject(broken('it does not start')));
  });
}

/** @param {string} url @param {{ fields: Record<string, string>, begins: string }} job */
async function convert(url, { fields, begins }) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const answer = await fetch(`${url}/convert/24.04/`, {
    method: 'POST',
    body: form,
    headers: { authorization: demoCredentials },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw broken(`the response is ${bytes.toString()}`);
  if (!bytes.toString('latin1').startsWith(begins))
    throw broken(`the output for ${JSON.stringify(fields)} has the wrong format`);
}

/** Loads the page of the console, and the files that it references. @param {string} url */
async function openConsole(url) {
  const page = (await read(`${url}/`)).toString();
  const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '');
  if (!files.some((file) => file.endsWith('.js'))) throw broken('its console has no script');
  for (const file of files) await read(new URL(file, `${url}/`).href);
}

/** @param {string} address */
async function read(address) {
  const answer = await fetch(address, { headers: { authorization: demoCredentials } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200 || bytes.length === 0)
    throw broken(`${address} responded with status ${answer.status} and ${bytes.length} bytes`);
  return bytes;
}

/** @param {import('node:child_process').ChildProcess} service @returns {Promise<void>} */
function stop(service) {
  return new Promise((resolve, reject) => {
    service.removeAllListeners('exit');
    service.once('exit', (code) =>
      code === 0 ? resolve() : reject(broken(`it ended with exit code ${code}`)),
    );
    service.kill('SIGTERM');
  });
}

/** @param {string} what */
function broken(what) {
  return new BuildProblem(
    `The packaged application does not work (${what}): fix the problem, then run the command again.`,
  );
}
