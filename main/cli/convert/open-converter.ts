/** The converter a run was given: this machine's, with a lock on a data folder that others may use, or a service's. */
import { lockDataFolder } from '../../launch/data-folder-lock.ts';
import { convertVariable } from '../../launch/messages.ts';
import { locateRuntime } from '../../launch/runtime.ts';
import { withFontsThere } from '../../launch/own-fonts.ts';
import { defaultDataFolder, fontFolders } from '../../settings/data-folder.ts';
import { environmentForService } from '../../settings/written.ts';
import type { Converter } from './converter.ts';
import { openLocal, type LocalParts } from './local.ts';
import type { Prepared } from './prepare.ts';
import { openRemote } from './remote.ts';

interface Parts extends Pick<LocalParts, 'kill' | 'onError'> {
  /** The run's own. */
  readonly folder: string;
}

/** @throws Error with one sentence when there is no runtime, or the data folder is in use */
export function openConverter(
  { remote, settings, sources }: Prepared,
  { folder, kill, onError }: Parts,
): Converter {
  if (remote !== undefined) return openRemote({ ...remote, folder, maxUpload: settings['max-upload'] });
  const lock = sources.ownData ? lockDataFolder(settings.data) : undefined;
  const local = openLocal({
    ...{ runtime: locateRuntime(), hangTimeout: settings['hang-timeout'], kill, onError },
    environment: {
      // What it says besides would stand between the lines for the person.
      PLATEN_LOG_LEVEL: 'error',
      ...sources.environment,
      ...environmentForService(sources),
      ...fontsOf({ settings, sources }),
      [convertVariable]: 'on',
    },
  });
  return {
    ...local,
    async [Symbol.asyncDispose]() {
      await local[Symbol.asyncDispose]();
      lock?.[Symbol.dispose]();
    },
  };
}

/** Those of the installation too, where an operator has put some. */
function fontsOf({ settings, sources }: Pick<Prepared, 'settings' | 'sources'>): Record<string, string> {
  const { fonts } = fontFolders(sources.ownData ? settings.data : defaultDataFolder());
  return withFontsThere({ ...fontFolders(settings.data), fonts }, process.env);
}
