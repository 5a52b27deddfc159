/** What an archive may cost. All of it is measured while unpacking; what headers declare is never believed. */
import { refusal } from './refusal.ts';

export interface ArchiveLimits {
  /** Files and folders. */
  readonly entries: number;
  /** Unpacked, in bytes. */
  readonly bytes: number;
  /** Unpacked bytes for each packed byte, once more than `ratioFrom` bytes are unpacked. */
  readonly ratio: number;
  readonly ratioFrom: number;
  /** Folders inside one another. */
  readonly depth: number;
  /** Of one file's or folder's own name, in bytes of UTF-8. */
  readonly nameBytes: number;
  /** For the whole unpacking, in milliseconds. */
  readonly time: number;
}

export const defaultLimits: ArchiveLimits = {
  entries: 10_000,
  bytes: 1_000_000_000,
  ratio: 100,
  ratioFrom: 50_000_000,
  depth: 32,
  nameBytes: 255,
  time: 10_000,
};

export interface Meter {
  /** @throws Failure archiveUnusable once too many bytes have come out. */
  add(bytes: number): void;
  /** @throws Failure archiveUnusable at the first entry too many. */
  countEntry(): void;
}

/** @param packed The archive's size in bytes. */
export function openMeter(limits: ArchiveLimits, packed: number): Meter {
  let [unpacked, entries] = [0, 0];
  return {
    add(bytes) {
      unpacked += bytes;
      if (unpacked > limits.bytes) throw tooManyBytes(limits);
      if (unpacked > limits.ratioFrom && unpacked > limits.ratio * packed) throw tooDense(limits);
    },
    countEntry() {
      entries += 1;
      if (entries > limits.entries) throw tooManyEntries(limits);
    },
  };
}

export function tooManyEntries({ entries }: ArchiveLimits): Error {
  return refusal(`The archive holds more than ${entries} files and folders; send fewer.`);
}

function tooManyBytes({ bytes }: ArchiveLimits): Error {
  return refusal(`The archive holds more than ${megabytes(bytes)} MB unpacked; send less.`);
}

function tooDense({ ratio, ratioFrom }: ArchiveLimits): Error {
  return refusal(
    `The archive unpacks to more than ${ratio} times its size, which only archives of up to ${megabytes(ratioFrom)} MB may; leave out what is not needed.`,
  );
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}
