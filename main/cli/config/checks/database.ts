/** Whether this program knows the accounts database that is there. */
import { databasePath } from '../../../accounts/database.ts';
import { databaseVersion } from '../../../accounts/database-version.ts';
import type { ConfigCheck, Warned } from '../check-of.ts';

export const database: ConfigCheck = {
  name: 'accounts',
  run({ settings: { data } }) {
    return stateOf(databasePath(data));
  },
};

function stateOf(path: string): string | Warned {
  const version = read(path);
  if (version === undefined) return `${path} does not exist yet; the first start makes it.`;
  const { last, missing, unknown } = version;
  if (unknown.length > 0)
    throw new Error(
      `${path} was written by a newer Platen (${unknown.join(', ')}); run that one, or go back to a copy of the folder from before.`,
    );
  const next = missing.at(-1);
  if (next !== undefined) return { warning: `${path} is at ${last}; the next start brings it to ${next}.` };
  return `${path} is at ${last}, the newest there is.`;
}

function read(path: string) {
  try {
    return databaseVersion(path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const sentence = `${path} cannot be read (${why}); see that it belongs to the user of the service.`;
    throw new Error(sentence, { cause });
  }
}
