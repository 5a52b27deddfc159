/**
 * A program for the tests of the lock: locks the given folder, prints a line, and keeps the lock until its standard input
 * ends. A second argument makes it start a child that outlives it for a moment.
 */
import { spawn } from 'node:child_process';
import { lockDataFolder } from '../../../main/launch/data-folder-lock.ts';

const [folder = '', withChild] = process.argv.slice(2);
try {
  lockDataFolder(folder);
  if (withChild !== undefined) spawn('sleep', ['3'], { stdio: 'ignore' });
  process.stdout.write('locked\n');
  process.stdin.resume();
} catch (problem) {
  process.stdout.write(`${problem instanceof Error ? problem.message : String(problem)}\n`);
}
