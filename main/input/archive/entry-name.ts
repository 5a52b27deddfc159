/** Names of entries: what may become a path below the job's folder, on every platform, and what may not. */
import type { ArchiveLimits } from './limits.ts';
import { refusal, shown } from './refusal.ts';

/**
 * The parts of an entry's path; none for the top folder itself (`./`).
 * @param name As the archive has it. A backslash separates too: Windows programs write it into zips.
 * @throws Failure archiveUnusable for every name that leaves its folder or means something else on Windows.
 */
export function readEntryName(name: string, limits: ArchiveLimits): readonly string[] {
  const wrong = (why: string): Error => refusal(`The archive's entry ${shown(name)} ${why}.`);
  if (name === '') throw wrong('has no name; pack the files again');
  if (/^[\\/]/.test(name)) throw wrong('has an absolute path; pack the files with relative paths');
  if (/^[a-z]:/i.test(name)) throw wrong('starts with a drive letter; pack the files with relative paths');
  const parts = name.split(/[\\/]+/).filter((part) => part !== '' && part !== '.');
  for (const part of parts) {
    const why = whyNot(part, limits);
    if (why !== undefined) throw wrong(why);
  }
  if (foldersOf(name, parts) > limits.depth) {
    throw wrong(`lies more than ${limits.depth} folders deep; pack the files with fewer folders`);
  }
  return parts;
}

/** A trailing separator makes the last part a folder, too. */
function foldersOf(name: string, parts: readonly string[]): number {
  return /[\\/]$/.test(name) ? parts.length : parts.length - 1;
}

/** Names of devices on Windows, with whatever extension; superscript digits count there. */
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\..*)?$/i;

function whyNot(part: string, { nameBytes }: ArchiveLimits): string | undefined {
  if (part === '..') return "leads out of its folder ('..'); pack the files with paths inside it";
  if (/\p{Cc}/u.test(part)) return 'has a control character in its name; rename it';
  if (part.includes(':')) return "has a ':' in its name, which is an alternate stream on Windows; rename it";
  if (/[. ]$/.test(part)) return 'has a name that ends with a dot or a blank; rename it';
  if (reserved.test(part)) return 'has a name that is a device on Windows; rename it';
  if (Buffer.byteLength(part) > nameBytes) return `has a name longer than ${nameBytes} bytes; shorten it`;
  return undefined;
}

/** What systems add to an archive without being asked, `._` being the other half of a file of macOS. */
export function isSystemFile(parts: readonly string[]): boolean {
  const last = parts.at(-1) ?? '';
  return (
    parts.includes('__MACOSX') ||
    last.startsWith('._') ||
    /^(\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(last)
  );
}
