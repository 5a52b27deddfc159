/** Which version of the program this is, as its package.json says. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The file is above the compiled program, and two folders above its source. */
export function ownVersion(from = import.meta.dirname): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const version = versionIn(join(folder, 'package.json'));
    if (version !== undefined) return version;
  }
  return 'unknown';
}

function versionIn(path: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    return name === 'platen' && typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
