/** Starts wkhtmltopdf for each document. A separate program, so that its CPU time includes the CPU time of its child processes. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { paper } from '../documents/document.ts';
import { serveRequests, type Worker } from './ipc-worker.ts';
import { workersVariable } from './process-start.ts';

const margin = `${paper.margin}in`;
const sides = ['-T', margin, '-R', margin, '-B', margin, '-L', margin];

const workers = Array.from({ length: Number(process.env[workersVariable]) }, (_, number) => workerOf(number));
process.once('disconnect', () => process.exit(0));
serveRequests(() => Promise.resolve(workers));

/** Returns a worker. It lets wkhtmltopdf write to a file, because Debian's build writes nothing to standard output. */
function workerOf(number: number): Worker {
  return async ({ url }) => {
    const file = fileURLToPath(url);
    const output = `${fileURLToPath(url)}.${number}.pdf`;
    await call(['--quiet', '--page-size', 'A4', ...sides, file, output]);
    return await readFile(output);
  };
}

function call(parameters: readonly string[]): Promise<void> {
  const child = spawn('wkhtmltopdf', parameters, {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Without this variable, the Qt of Debian's build needs a display.
    env: { ...process.env, QT_QPA_PLATFORM: 'offscreen' },
  });
  let errors = '';
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`wkhtmltopdf ended with ${String(code ?? signal)}: ${errors}`));
    });
  });
}
