/** `platen self-test`: runs the self-test in a service process that does not listen. */
import { DataFolderInUse, lockDataFolder } from '../launch/data-folder-lock.ts';
import { selfTestVariable } from '../launch/messages.ts';
import { fontEnvironment } from '../launch/font-folder.ts';
import { locateRuntime } from '../launch/runtime.ts';
import { superviseService } from '../launch/supervise.ts';
import { fontFolders } from '../settings/data-folder.ts';
import { loadSettings } from '../settings/load.ts';
import type { Settings } from '../settings/table.ts';
import { resolveDataFolder, environmentForService } from '../settings/raw-settings.ts';
import { refuseNewer, upgradeDataFolder } from '../upgrade/upgrade.ts';
import { localUrl } from './local-service.ts';
import { printNote } from './terminal.ts';

/** Runs the command. Resolves with the exit code, 1 if a check failed. @throws SettingProblem, Error with a one-sentence message */
export async function selfTest(parameters: readonly string[]): Promise<number> {
  if (parameters.includes('--help')) return (await import('./help.ts')).help();
  const flags = parameters.filter((parameter) => parameter !== '--json');
  const sources = { flags, environment: process.env };
  refuseNewer(resolveDataFolder(sources));
  const settings = loadSettings(sources);
  using _lock = lock(settings);
  await upgradeDataFolder({ data: settings.data, onNote: printNote });
  return await superviseService({
    runtime: locateRuntime(),
    environment: {
      // The environment variables below may override this. It keeps log lines out of the table.
      PLATEN_LOG_LEVEL: 'error',
      ...process.env,
      ...environmentForService(sources),
      ...fontEnvironment(fontFolders(settings.data), process.env),
      [selfTestVariable]: flags.length < parameters.length ? 'json' : 'table',
    },
    rules: () => ({ restart: false, hangTimeoutMs: settings['hang-timeout'] }),
    onRestart() {},
  });
}

function lock(settings: Settings & { readonly data: string }): Disposable {
  try {
    return lockDataFolder(settings.data);
  } catch (problem) {
    if (!(problem instanceof DataFolderInUse)) throw problem;
    const message = `${problem.message} Ask the running service for its self-test: curl -X POST --user ACCOUNT:KEY ${settings['base-url'] ?? localUrl(settings)}/self-test, with the key of an operator.`;
    throw new Error(message, { cause: problem });
  }
}
