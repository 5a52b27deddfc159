/** Ends a service as a power failure does. */
import { once } from 'node:events';
import { electronOf, isAlive } from './processes.ts';
import type { Service } from './service.ts';
import { waitUntil } from '../wait-until.ts';

/** Kills the launcher first, so that it does not restart the service. Resolves when both have ended. */
export async function killService(service: Service): Promise<void> {
  const electron = electronOf(service);
  const exited = once(service.process, 'exit');
  service.process.kill('SIGKILL');
  process.kill(electron, 'SIGKILL');
  await exited;
  await waitUntil('Electron has ended', () => !isAlive(electron));
}
