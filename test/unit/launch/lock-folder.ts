/** A program for the tests of the lock: locks the given folder, prints a line, and keeps the lock until its standard input ends. */
import { lockDataFolder } from '../../../main/launch/data-folder-lock.ts';

try {
  lockDataFolder(process.argv[2] ?? '');
  process.stdout.write('locked\n');
  process.stdin.resume();
} catch (problem) {
  process.stdout.write(`${problem instanceof Error ? problem.message : String(problem)}\n`);
}
