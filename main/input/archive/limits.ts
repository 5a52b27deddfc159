/** The limits of an archive. They are enforced while unpacking, because the sizes declared in headers cannot be trusted. */
import { Failure } from '../../failure/failure.ts';

export interface ArchiveLimits {
  /** Number of files and folders. */
  readonly entries: number;
  /** Total size of the unpacked files, in bytes. */
  readonly unpackedBytes: number;
  /** Whether the disk has less room than the setting allows. */
  readonly isDiskShort?: boolean;
  /** Maximum unpacked bytes for each packed byte, once more than `ratioFrom` bytes are unpacked. */
  readonly ratio: number;
  readonly ratioFrom: number;
  /** Nesting depth of folders. */
  readonly depth: number;
  /** Length of the name of a file or folder, in bytes of UTF-8. */
  readonly nameBytes: number;
  /** Total length of the paths of all files and folders, in bytes of UTF-8. The main thread reads these paths in one step. */
  readonly pathBytes: number;
  /** Time to unpack the whole archive, in milliseconds. */
  readonly timeoutMs: number;
}

export const defaultLimits: ArchiveLimits = {
  entries: 10_000,
  unpackedBytes: 1_000_000_000,
  ratio: 100,
  ratioFrom: 50_000_000,
  depth: 32,
  nameBytes: 255,
  pathBytes: 2_000_000,
  timeoutMs: 60_000,
};

export interface Meter {
  /** Adds to the number of unpacked bytes. @throws Failure archiveUnusable if it exceeds `bytes` or `ratio`; ENOSPC if the disk is short. */
  add(bytes: number): void;
  /** Counts one entry. @throws Failure archiveUnusable if there are more than `entries`. */
  countEntry(): void;
}

export function openMeter(limits: ArchiveLimits, packedBytes: number): Meter {
  let unpackedBytes = 0;
  let entries = 0;
  return {
    add(bytes) {
      unpackedBytes += bytes;
      if (unpackedBytes > limits.unpackedBytes) throw tooManyBytes(limits);
      if (unpackedBytes > limits.ratioFrom && unpackedBytes > limits.ratio * packedBytes)
        throw tooDense(limits);
    },
    countEntry() {
      entries += 1;
      if (entries > limits.entries) throw tooManyEntries(limits);
    },
  };
}

export function tooManyEntries({ entries }: ArchiveLimits): Error {
  return refusal(`The archive contains more than ${entries} files and folders; send fewer.`);
}

export function pathsTooLong({ pathBytes }: ArchiveLimits): Error {
  return refusal(
    `The paths of the archive's files and folders have more than ${pathBytes} bytes in total; send fewer files, or shorten their paths.`,
  );
}

function tooManyBytes({ unpackedBytes, isDiskShort = false }: ArchiveLimits): Error {
  // As if the disk were full.
  if (isDiskShort) return Object.assign(new Error('half of the free disk is used'), { code: 'ENOSPC' });
  return refusal(`The archive unpacks to more than ${megabytes(unpackedBytes)} MB; send less.`);
}

function tooDense({ ratio, ratioFrom }: ArchiveLimits): Error {
  return refusal(
    `The archive unpacks to more than ${ratio} times its size; this is allowed only up to ${megabytes(ratioFrom)} MB of unpacked files. Leave out files that the document does not need.`,
  );
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}

/** @param message Names the entry, the problem, and what to change. */
export function refusal(message: string, cause?: unknown): Failure {
  return new Failure('archiveUnusable', message, { cause });
}

const maxShownLength = 100;

/** Quotes an entry's name for a message. Escapes control characters and shortens long names, because the uploader chooses them. */
export function quotedName(name: string): string {
  const plain = name.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
  return `'${plain.length > maxShownLength ? `${plain.slice(0, maxShownLength)}...` : plain}'`;
}
