/** `platen serve`: runs the service in the foreground until a signal. */
import { DataFolderInUse, lockDataFolder } from '../launch/data-folder-lock.ts';
import { hasDesktop } from '../launch/display.ts';
import { withOwnFonts } from '../launch/own-fonts.ts';
import { locateRuntime } from '../launch/runtime.ts';
import { askToShow } from '../launch/show-request.ts';
import { hearStopRequest } from '../launch/stop-request.ts';
import { superviseService } from '../launch/supervise.ts';
import { openServiceLog } from '../log/service-log.ts';
import { fontFolders } from '../settings/data-folder.ts';
import { loadSettings, SettingProblem, type LoadedSettings, type SettingSources } from '../settings/load.ts';
import { dataFolderOf, environmentForService } from '../settings/written.ts';
import { refuseNewer, upgradeDataFolder } from '../upgrade/upgrade.ts';
import { sayAside } from './say.ts';

/** Resolves with the exit code. @throws SettingProblem, Error with one sentence */
export async function serve(flags: readonly string[]): Promise<number> {
  if (flags.includes('--help')) return (await import('./help.ts')).help();
  const sources = { flags, environment: process.env };
  refuseNewer(dataFolderOf(sources));
  let settings = loadSettings(sources);
  using _lock = lockOrAsk(settings.data);
  await upgradeDataFolder({ data: settings.data, say: sayAside });
  using _requests = stopRequests(settings.data);
  return await superviseService({
    runtime: locateRuntime(),
    environment: {
      ...process.env,
      ...environmentForService(sources),
      ...withOwnFonts(fontFolders(settings.data), process.env),
    },
    rules() {
      settings = loadedAnew(sources) ?? settings;
      return { restart: settings.restart, hangTimeout: settings['hang-timeout'] };
    },
    report(why, wait) {
      // Never in the log's file, which is the service's alone: it says the same there when it has started.
      const log = openServiceLog({ ...settings, 'log-file': undefined }, process.stderr.isTTY);
      log.error({ why, ms: wait }, 'the service ended and is started anew');
    },
  });
}

/** Whoever starts it a second time at a desktop wants to see the one that runs. */
function lockOrAsk(data: string): Disposable {
  try {
    return lockDataFolder(data);
  } catch (problem) {
    if (problem instanceof DataFolderInUse && hasDesktop()) askToShow(data);
    throw problem;
  }
}

/** Windows has no signals; what is asked for by a file counts as one. */
function stopRequests(data: string): Disposable | undefined {
  if (process.platform !== 'win32') return undefined;
  return hearStopRequest(data, () => process.emit('SIGTERM', 'SIGTERM'));
}

/** Undefined when config.json cannot be used any more: the service, which reads it too, says why. */
function loadedAnew(sources: SettingSources): LoadedSettings | undefined {
  try {
    return loadSettings(sources);
  } catch (problem) {
    if (problem instanceof SettingProblem) return undefined;
    throw problem;
  }
}
