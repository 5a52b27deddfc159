/** What runs services on this platform: one interface, three of them. */
import { launchd } from './launchd.ts';
import type { ServiceHost } from './service-host.ts';
import { systemd } from './systemd.ts';
import { taskScheduler } from './task-scheduler.ts';

/** @throws Error with one sentence for a platform without one */
export function hostOf(platform: NodeJS.Platform): ServiceHost {
  if (platform === 'linux') return systemd;
  if (platform === 'darwin') return launchd;
  if (platform === 'win32') return taskScheduler;
  throw new Error(`services of ${platform} are not known here; let its own tools start 'platen serve'.`);
}
