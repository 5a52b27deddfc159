/** `platen serve`: runs the service in the foreground until a signal. */
import { lockDataFolder } from '../launch/data-folder-lock.ts';
import { locateRuntime } from '../launch/runtime.ts';
import { superviseService } from '../launch/supervise.ts';
import { openServiceLog } from '../log/service-log.ts';
import { flagsAsEnvironment, loadSettings } from '../settings/load.ts';

/** Resolves with the exit code. @throws SettingProblem, Error with one sentence */
export async function serve(flags: readonly string[]): Promise<number> {
  if (flags.includes('--help')) return (await import('./help.ts')).help();
  const settings = loadSettings({ flags, environment: process.env });
  using _lock = lockDataFolder(settings.data);
  return await superviseService({
    runtime: locateRuntime(),
    environment: { ...process.env, ...flagsAsEnvironment(flags), PLATEN_DATA: settings.data },
    restart: settings.restart,
    hangTimeout: settings['hang-timeout'],
    report(why, wait) {
      // Never in the log's file, which is the service's alone: it says the same there when it has started.
      const log = openServiceLog({ ...settings, 'log-file': undefined }, process.stderr.isTTY);
      log.error({ why, ms: wait }, 'the service ended and is started anew');
    },
  });
}
