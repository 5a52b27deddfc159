/**
 * Lets processes of the service's group go on when the service has ended, however it did: a renderer that stands still (back-pressure.ts)
 * does not hear that its browser has gone, and would stay for ever. Who is killed can do nothing any more, so a shell of the
 * group waits for the end of its input. Not on Windows. Plain Node.
 */
import { spawn } from 'node:child_process';

/** `group` is led by the service, as the launcher starts it; where there is no such group nothing happens. */
export function letGoAtEnd(group: number): Disposable {
  const program = 'read -r end; kill -s CONT -- "-$1"';
  const shell = spawn('/bin/sh', ['-c', program, 'sh', String(group)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without one, only who is killed leaves something behind.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  return {
    [Symbol.dispose]() {
      shell.stdin.destroy();
    },
  };
}
