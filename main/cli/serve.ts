/** `platen serve`: runs the service in the foreground until a signal. */
import { DataFolderInUse, lockDataFolder } from '../launch/data-folder-lock.ts';
import { hasDesktop } from '../launch/display.ts';
import { fontEnvironment } from '../launch/font-folder.ts';
import { noTerminalVariable } from '../launch/messages.ts';
import { listenForStopRequests, requestShow } from '../launch/request-file.ts';
import { locateRuntime } from '../launch/runtime.ts';
import { superviseService } from '../launch/supervise.ts';
import { openServiceLog } from '../log/service-log.ts';
import { fontFolders } from '../settings/data-folder.ts';
import { loadSettings, SettingProblem, type LoadedSettings, type SettingSources } from '../settings/load.ts';
import { resolveDataFolder, environmentForService } from '../settings/raw-settings.ts';
import { refuseNewer, upgradeDataFolder } from '../upgrade/upgrade.ts';
import { printNote } from './terminal.ts';

interface ServeOptions {
  /** Receives what the service would write to standard error, line by line. Default: standard error. */
  readonly onStderrLine?: (line: string) => void;
  /** Whether no one sees standard output and standard error. */
  readonly isOutputUnseen?: boolean;
}

/** Runs the command and resolves with the exit code. @throws SettingProblem, Error with a one-sentence message */
export async function serve(
  flags: readonly string[],
  { onStderrLine, isOutputUnseen = false }: ServeOptions = {},
): Promise<number> {
  if (flags.includes('--help')) return (await import('./help.ts')).help();
  const sources = { flags, environment: process.env };
  refuseNewer(resolveDataFolder(sources));
  let settings = loadSettings(sources);
  using _lock = lockOrShowWindow(settings.data);
  await upgradeDataFolder({ data: settings.data, onNote: printNote });
  using _requests = listenForStop(settings.data);
  return await superviseService({
    runtime: locateRuntime(),
    environment: {
      ...process.env,
      ...environmentForService(sources),
      ...fontEnvironment(fontFolders(settings.data), process.env),
      [noTerminalVariable]: isOutputUnseen ? 'on' : '',
    },
    ...(onStderrLine && { onStderrLine }),
    rules() {
      settings = tryLoadSettings(sources) ?? settings;
      return { restart: settings.restart, hangTimeoutMs: settings['hang-timeout'] };
    },
    onRestart(why, delayMs) {
      // Logs only to standard error: the log file belongs to the service, which logs the restart there after it has started.
      const log = openServiceLog({ ...settings, 'log-file': undefined }, process.stderr.isTTY);
      log.error({ why, ms: delayMs }, 'the service ended and is restarted');
    },
  });
}

/** Locks the data folder. If it is in use and there is a desktop, shows the window of the running service. */
function lockOrShowWindow(data: string): Disposable {
  try {
    return lockDataFolder(data);
  } catch (problem) {
    if (problem instanceof DataFolderInUse && hasDesktop()) requestShow(data);
    throw problem;
  }
}

/** Listens for stop requests on Windows, which has no signals. A request, which is a file, has the effect of SIGTERM. */
function listenForStop(data: string): Disposable | undefined {
  if (process.platform !== 'win32') return undefined;
  return listenForStopRequests(data, () => process.emit('SIGTERM', 'SIGTERM'));
}

/** Returns undefined if config.json is invalid. The service also reads the file and reports the problem. */
function tryLoadSettings(sources: SettingSources): LoadedSettings | undefined {
  try {
    return loadSettings(sources);
  } catch (problem) {
    if (problem instanceof SettingProblem) return undefined;
    throw problem;
  }
}
