/** Chooses the service manager of the platform. */
import { launchd } from './launchd.ts';
import type { ServiceHost } from './service-host.ts';
import { systemd } from './systemd.ts';
import { taskScheduler } from './task-scheduler.ts';

/** @throws Error with one sentence for an unsupported platform */
export function serviceHostFor(platform: NodeJS.Platform): ServiceHost {
  if (platform === 'linux') return systemd;
  if (platform === 'darwin') return launchd;
  if (platform === 'win32') return taskScheduler;
  throw new Error(
    `services are not supported on ${platform}; use its service manager to run 'platen serve'.`,
  );
}
