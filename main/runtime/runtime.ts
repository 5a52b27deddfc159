/** Defines what all modes of the main process share: the Runtime, and functions that use it. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StopRequest } from '../app/process/launcher.ts';
import { exitAfterFault } from '../app/process/lifecycle.ts';
import type { FormDependencies } from '../conversion/convert-form.ts';
import type { KeptInputs } from '../kept-inputs/kept-inputs.ts';
import type { Versions } from '../log/events.ts';
import type { ServiceLog } from '../log/service-log.ts';
import type { LoadedSettings } from '../settings/load.ts';
import type { RawSettingsByOrigin } from '../settings/raw-settings.ts';

export interface Runtime {
  readonly settings: LoadedSettings;
  /** The settings as the operator wrote them, by origin. */
  readonly writtenSettings: RawSettingsByOrigin;
  readonly log: ServiceLog;
  readonly versions: Versions;
  /** The request to stop the process, from the launcher or a signal. */
  readonly stopRequest: StopRequest;
}

/** Returns an empty folder for the files of jobs. Deletes files that a crash has left in it. */
export async function makeWorkFolder({ settings }: Runtime): Promise<string> {
  const folder = join(settings.data, 'work');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Returns a function that ends the process if it can no longer convert anything. The launcher then starts a new one. */
export function endWhenUnrecoverable({ log }: Runtime): (reason: string) => void {
  return (reason) => {
    exitAfterFault(new Error(reason), log);
  };
}

/** Returns the prefixes of class names, script libraries and response headers: `service` and the setting `alias`. */
export function markupPrefixes({ settings }: Runtime): readonly string[] {
  return settings.alias === undefined ? ['service'] : ['service', settings.alias];
}

/** Returns a function that keeps requests for the rehearsal of an upgrade, and logs its errors. */
export function keepingInputs(
  keptInputs: KeptInputs,
  log: ServiceLog,
): NonNullable<FormDependencies['keepInput']> {
  return (job) =>
    keptInputs.keep(job).catch((problem: unknown) => {
      log.warn(
        { err: problem, job: job.id },
        'cannot keep the request of a job for the rehearsal of an upgrade',
      );
    });
}
