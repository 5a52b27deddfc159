/**
 * A stub of the service for the tests of the launcher. Writes its events to `events.jsonl` in the data folder. The file `behaviour`
 * in the data folder says what the next run does after it listens; the run deletes the file.
 */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSubprocess } from '../../main/subprocess/start.ts';
import { fileURLToPath } from 'node:url';
import { listenForShowRequests } from '../../main/launch/request-file.ts';

export type Behaviour = 'crash' | 'hang' | 'spawn' | 'fail to start';

const data = process.env.PLATEN_DATA ?? '';

function record(event: string): void {
  const { PLATEN_RESTARTS: restarts, PLATEN_RESTARTED_AFTER: after, PLATEN_KEPT_PORT: port } = process.env;
  const line = { event, pid: process.pid, parent: process.ppid, restarts, after, port };
  appendFileSync(join(data, 'events.jsonl'), `${JSON.stringify(line)}\n`);
}

function takeBehaviour(): string {
  const file = join(data, 'behaviour');
  if (!existsSync(file)) return '';
  const behaviour = readFileSync(file, 'utf8');
  rmSync(file);
  return behaviour;
}

process.on('message', (message) => {
  if (message === 'ping') process.send?.('pong');
  if (message !== 'stop') return;
  record('stop');
  process.exit(0);
});
process.on('disconnect', () => {
  record('disconnect');
  process.exit(1);
});
const behaviour = takeBehaviour();
record('start');
if (behaviour === 'fail to start') {
  process.stderr.write('the stub does not start\n');
  process.exit(4);
}
listenForShowRequests(data, () => {
  record('show');
});
process.stdout.write('Platen listening on http://127.0.0.1:4711\n');
process.send?.({ listening: 'http://127.0.0.1:4711' });
if (behaviour === 'spawn') {
  const program = fileURLToPath(import.meta.resolve('./endless-child-program.ts'));
  const child = startSubprocess(process.env.PLATEN_NODE ?? '', [program, join(data, 'child.pid')], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  record(`child ${String(child.pid)}`);
}
if (behaviour === 'hang') for (;;);
// A later message makes the run crash, so that a test can choose the moment.
if (behaviour === 'crash') process.exit(9);
const timer = setInterval(() => {
  if (!existsSync(join(data, 'crash-now'))) return;
  clearInterval(timer);
  rmSync(join(data, 'crash-now'));
  writeFileSync(join(data, 'crashed'), '');
  process.exit(9);
}, 50);
