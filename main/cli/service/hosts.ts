/** Chooses the service manager of the platform. */
import { launchd } from './launchd.ts';
import type { ServiceHost } from './service-host.ts';
import { systemd } from './systemd.ts';
import { taskScheduler } from './task-scheduler.ts';

/**
 * Returns the interface to the platform's service manager.
 * @throws Error with a one-sentence message for an unsupported platform
 */
export function serviceHostFor(platform: NodeJS.Platform): ServiceHost {
  if (platform === 'linux') return systemd;
  if (platform === 'darwin') return launchd;
  if (platform === 'win32') return taskScheduler;
  throw new Error(
    `'platen service' does not support ${platform}; configure the platform's service manager to run 'platen serve'.`,
  );
}
