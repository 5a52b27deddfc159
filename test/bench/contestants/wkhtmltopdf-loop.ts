/** Calls wkhtmltopdf for each document. A program of its own, so that the time of what it calls is counted as its own. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { paper } from '../documents/document.ts';
import { takeOrders, type Worker } from './take-orders.ts';
import { workersVariable } from './wkhtmltopdf-start.ts';

const margin = `${paper.margin}in`;
const sides = ['-T', margin, '-R', margin, '-B', margin, '-L', margin];

const workers = Array.from({ length: Number(process.env[workersVariable]) }, () => convert);
process.once('disconnect', () => process.exit(0));
takeOrders(() => Promise.resolve(workers));

function convert({ url }: Parameters<Worker>[0]): Promise<Buffer> {
  const file = fileURLToPath(url);
  const child = spawn('wkhtmltopdf', ['--quiet', '--page-size', 'A4', ...sides, file, '-'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(parts));
      else reject(new Error(`wkhtmltopdf ended with ${String(code)}`));
    });
  });
}
