/** `platen serve`: runs the service in the foreground until a signal. */
import { lockDataFolder } from '../launch/data-folder-lock.ts';
import { openDisplay } from '../launch/display.ts';
import { locateRuntime } from '../launch/runtime.ts';
import { superviseService } from '../launch/service-process.ts';
import { flagsAsEnvironment, loadSettings } from '../settings/load.ts';

/** Resolves with the exit code. @throws SettingProblem, Error with one sentence */
export async function serve(flags: readonly string[]): Promise<number> {
  if (flags.includes('--help')) return (await import('./help.ts')).help();
  const settings = loadSettings({ flags, environment: process.env });
  using _lock = lockDataFolder(settings.data);
  const runtime = locateRuntime();
  using display = await openDisplay();
  const environment = {
    ...process.env,
    ...flagsAsEnvironment(flags),
    PLATEN_DATA: settings.data,
    ...display.environment,
  };
  return await superviseService(runtime, environment);
}
