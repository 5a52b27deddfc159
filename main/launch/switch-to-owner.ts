/** Switches a command that root runs on another user's data folder to that user. */
import { statSync } from 'node:fs';

/**
 * Switches the process permanently to the folder's owner. Files that the process then creates belong to the service's user, which
 * could not use files of root, and links in the folder cannot make root write elsewhere. Does nothing if the process does not run
 * as root, or if the folder is missing or belongs to root.
 */
export function switchToOwnerOf(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 };
  if (uid === 0) return;
  setGroups(uid, gid);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

/**
 * Sets the user's supplementary groups, because a certificate may be readable only by a group. A uid without a name has no
 * supplementary groups.
 */
function setGroups(uid: number, gid: number): void {
  // Node's types do not declare `initgroups`.
  const { initgroups } = process as { readonly initgroups?: (user: number, group: number) => void };
  try {
    initgroups?.(uid, gid);
  } catch {
    process.setgroups?.([gid]);
  }
}
