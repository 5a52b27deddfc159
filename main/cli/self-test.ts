/** `platen self-test`: starts the service only to test itself, without listening. */
import { DataFolderInUse, lockDataFolder } from '../launch/data-folder-lock.ts';
import { selfTestVariable } from '../launch/messages.ts';
import { withOwnFonts } from '../launch/own-fonts.ts';
import { locateRuntime } from '../launch/runtime.ts';
import { superviseService } from '../launch/supervise.ts';
import { fontFolders } from '../settings/data-folder.ts';
import { loadSettings } from '../settings/load.ts';
import type { Settings } from '../settings/table.ts';
import { dataFolderOf, environmentForService } from '../settings/written.ts';
import { refuseNewer, upgradeDataFolder } from '../upgrade/upgrade.ts';
import { addressOf } from './own-address.ts';
import { sayAside } from './say.ts';

/** Resolves with the exit code, 1 when a check has failed. @throws SettingProblem, Error with one sentence */
export async function selfTest(words: readonly string[]): Promise<number> {
  if (words.includes('--help')) return (await import('./help.ts')).help();
  const flags = words.filter((word) => word !== '--json');
  const sources = { flags, environment: process.env };
  refuseNewer(dataFolderOf(sources));
  const settings = loadSettings(sources);
  using _lock = lock(settings);
  await upgradeDataFolder({ data: settings.data, say: sayAside });
  return await superviseService({
    runtime: locateRuntime(),
    environment: {
      // What the service says besides would stand between the lines of the table.
      PLATEN_LOG_LEVEL: 'error',
      ...process.env,
      ...environmentForService(sources),
      ...withOwnFonts(fontFolders(settings.data), process.env),
      [selfTestVariable]: flags.length < words.length ? 'json' : 'table',
    },
    rules: () => ({ restart: false, hangTimeout: settings['hang-timeout'] }),
    report() {},
  });
}

function lock(settings: Settings & { readonly data: string }): Disposable {
  try {
    return lockDataFolder(settings.data);
  } catch (problem) {
    if (!(problem instanceof DataFolderInUse)) throw problem;
    const sentence = `${problem.message} A service that runs tests itself: curl --user ACCOUNT:KEY ${settings['base-url'] ?? addressOf(settings)}/self-test, with the key of an operator.`;
    throw new Error(sentence, { cause: problem });
  }
}
