/** A program that writes lines to a log file on a disk that is full, and then no longer: `line-writer.ts <file>`. */
import { execFileSync } from 'node:child_process';
import { openRotatingFile } from '../../main/log/service-log.ts';

const file = openRotatingFile({
  path: process.argv[2] ?? '',
  size: 1_000_000,
  count: 2,
  onProblem(sentence) {
    process.stdout.write(`${sentence}\n`);
  },
});
const line = `${'x'.repeat(299)}\n`;
// A limit of file size is what a full disk is: half a line can be written, then nothing.
const allow = (bytes: string) =>
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`]);
allow('1000');
for (let number = 0; number < 10; number += 1) file.write(line);
allow('unlimited');
file.write(line);
