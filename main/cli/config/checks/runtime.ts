/** Whether the Electron that runs the service is there, with the libraries it needs. */
import { access, constants } from 'node:fs/promises';
import { runProgram } from '../../../launch/run-program.ts';
import { locateRuntime } from '../../../launch/runtime.ts';
import type { ConfigCheck } from '../check-of.ts';

export const runtime: ConfigCheck = {
  name: 'runtime',
  async run() {
    const { electron } = locateRuntime();
    await access(electron, constants.X_OK).catch((cause: unknown) => {
      const { code = '' } = cause as NodeJS.ErrnoException;
      const sentence = `${electron} cannot be run by this user (${code}); see that everybody may read it.`;
      throw new Error(sentence, { cause });
    });
    const missing = await missingLibraries(electron);
    if (missing.length === 0) return `${electron} can be run.`;
    throw new Error(
      `${electron} needs libraries that are not installed: ${missing.join(', ')} (Debian: apt-get install libgtk-3-0 libnss3 libasound2 libgbm1).`,
    );
  },
};

/** Where ldd is missing nobody can tell. */
async function missingLibraries(electron: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const { out } = await runProgram(['ldd', electron]);
  return [...out.matchAll(/^\s*(\S+) => not found$/gm)].map(([, name = '']) => name);
}
