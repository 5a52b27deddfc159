/** Starts a copy of Platen again for the user who had started it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { win32 } from 'node:path';
import * as z from 'zod';
import { endOfElectronArguments, quoteForWindows } from '../../../launch/launcher-command.ts';
import { runTaskAsUser } from '../task-scheduler.ts';

/** A copy as the state file records it. */
export const suspendedCopySchema = z.object({
  /** `DOMAIN\name` */
  user: z.string(),
  /** The arguments of the launcher, quoted as they were given. */
  parameters: z.string(),
  /** The data folder. */
  data: z.string(),
});

/**
 * Starts the copy. Environment variables and the working directory are not known any more, so the data folder is named.
 * @throws Error with a one-sentence message
 */
export async function restartCopy(
  folder: string,
  copy: z.infer<typeof suspendedCopySchema>,
  isElevated: boolean,
): Promise<void> {
  // A terminal or a supervisor has started it, which this process cannot replace.
  if (process.platform !== 'win32') throw new Error('start it again where it was started.');
  const program = win32.join(folder, 'Platen.exe');
  const parameters = restartArguments(copy);
  if (isElevated) {
    // A direct start would give the user's program the rights of this process.
    await runTaskAsUser({ name: 'platen restart', user: copy.user, program, args: parameters });
    return;
  }
  const child = spawn(program, [parameters], {
    windowsVerbatimArguments: true,
    // Node.js does not quote the program here, whose path may contain spaces.
    argv0: quoteForWindows(program),
    detached: true,
    stdio: 'ignore',
  });
  await once(child, 'spawn');
  child.unref();
}

/** Returns the arguments of Platen.exe as one command line. */
export function restartArguments({ parameters, data }: z.infer<typeof suspendedCopySchema>): string {
  return `${endOfElectronArguments} ${parameters} --data ${quoteForWindows(data)}`;
}
