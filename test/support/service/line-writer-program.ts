/**
 * `line-writer-program.ts <file>`: writes lines to a log file, first while the disk seems full and then normally, and prints the problems.
 */
import { execFileSync } from 'node:child_process';
import { openRotatingFile } from '../../../main/log/service-log.ts';

const file = openRotatingFile({
  path: process.argv[2] ?? '',
  size: 1_000_000,
  count: 2,
  onProblem(sentence) {
    process.stdout.write(`${sentence}\n`);
  },
});
const line = `${'x'.repeat(299)}\n`;
// A file size limit has the effect of a full disk: one write is partial, and all later writes fail.
const allow = (bytes: string) =>
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`]);
allow('1000');
for (let number = 0; number < 10; number += 1) file.write(line);
allow('unlimited');
file.write(line);
