/** Reads the packages in a lock file of npm. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LockedPackage } from '../../build/bundling/packages-to-bundle.ts';
import type { LockEntry } from '../../build/packaging/packages-to-ship.ts';

export interface PackageLockEntry extends LockedPackage, LockEntry {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

/** Returns the property `packages` of the folder's package-lock.json, by paths such as `node_modules/express`. */
export function lockedPackages(folder: string): Readonly<Record<string, PackageLockEntry>> {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, PackageLockEntry>>;
  };
  return lock.packages;
}
