/** Makes a command that root runs in another user's data folder act as that user. */
import { statSync } from 'node:fs';

/**
 * Switches the process permanently to the folder's owner. Files that it creates then belong to the user of the
 * service, which cannot use files of root, and links in the folder cannot make root write elsewhere. Does nothing
 * for other users, or if the folder is missing or belongs to root.
 */
export function actAsOwnerOf(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 };
  if (uid === 0) return;
  setGroups(uid, gid);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

/**
 * Sets the user's supplementary groups: a certificate may be readable by a group only. A uid without a name has
 * no supplementary groups.
 */
function setGroups(uid: number, gid: number): void {
  // Missing in Node's types.
  const { initgroups } = process as { readonly initgroups?: (user: number, group: number) => void };
  try {
    initgroups?.(uid, gid);
  } catch {
    process.setgroups?.([gid]);
  }
}
