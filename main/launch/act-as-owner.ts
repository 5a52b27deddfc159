/** Root who works in another's data folder does it as that user. */
import { statSync } from 'node:fs';

/**
 * From now on, and for good: the files it makes are then the service's own, which could not read or write root's, and no
 * link that lies there leads root astray. Without effect for anybody else, and where the folder is missing or root's.
 */
export function actAsOwnerOf(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 };
  if (uid === 0) return;
  takeGroups(uid, gid);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

/** A certificate may be readable by a group alone. A number without a name has no groups. */
function takeGroups(uid: number, gid: number): void {
  // Node's types do not have it.
  const { initgroups } = process as { readonly initgroups?: (user: number, group: number) => void };
  try {
    initgroups?.(uid, gid);
  } catch {
    process.setgroups?.([gid]);
  }
}
