/** Opens the accounts database for a command, whether or not the service is running. */
import { openStore } from '../../accounts/store/open-store.ts';
import type { Store } from '../../accounts/store/store.ts';
import { DataFolderInUse, lockDataFolder } from '../../launch/data-folder-lock.ts';
import { switchToOwnerOf } from '../../launch/switch-to-owner.ts';
import type { ParsedArguments } from '../../fields/arguments.ts';
import { loadSettings, type LoadedSettings } from '../../settings/load.ts';
import { resolveDataFolder } from '../../settings/raw-settings.ts';
import { needsUpgrade, refuseNewer, upgradeDataFolder } from '../../upgrade/upgrade.ts';
import { printNote } from '../terminal.ts';

export interface CommandStore {
  readonly settings: LoadedSettings;
  readonly store: Store;
}

/** The flags of the database, which all commands that use it accept. */
export const storeFlags = {
  data: 'value',
  database: 'value',
  'database-password-file': 'value',
  'encryption-key-file': 'value',
} as const;

/** Returns the settings that the flags, the environment and config.json give. @throws NewerDataFolder, SettingProblem */
export function settingsOf({ flags }: ParsedArguments): LoadedSettings {
  const given = Object.keys(storeFlags).flatMap((name) => {
    const value = flags.get(name);
    return value === undefined ? [] : [`--${name}`, value];
  });
  const sources = { flags: given, environment: process.env };
  refuseNewer(resolveDataFolder(sources));
  return loadSettings(sources);
}

/** Opens the database, and upgrades the data folder before. @throws NewerDatabase; Error with a one-sentence message */
export async function openCommandStore(parsed: ParsedArguments): Promise<CommandStore> {
  const settings = settingsOf(parsed);
  switchToOwnerOf(settings.data);
  await upgradeUnlessRunning(settings.data);
  return { settings, store: await openStore({ settings }) };
}

/**
 * Upgrades the data folder, unless a running service uses it. A running service of this version has already upgraded it.
 * @throws Error with a one-sentence message
 */
async function upgradeUnlessRunning(data: string): Promise<void> {
  if (!needsUpgrade(data)) return;
  try {
    using _lock = lockDataFolder(data);
    await upgradeDataFolder({ data, onNote: printNote });
  } catch (problem) {
    if (!(problem instanceof DataFolderInUse)) throw problem;
    const message = `${problem.message} The folder has the format of an older version; stop the service, so that this command can upgrade the folder.`;
    throw new Error(message, { cause: problem });
  }
}
