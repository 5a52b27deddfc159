/**
 * Limits the memory that the bodies of all current requests and their responses use together, and the part of it that one account may
 * use, also of the disk (docs/decisions/0065-account-shares.md). A request beyond a limit is refused.
 */
import type { Account } from '../../accounts/account.ts';
import { Failure } from '../../failure/failure.ts';
import { availableMemory, type Settings } from '../../settings/table.ts';

export interface BodyBudget {
  /**
   * Opens the share of a request before its body is read. `declaredBytes` is its Content-Length, or 0 if the length is unknown or
   * the body is stored on disk.
   * @throws Failure unavailable; tooManyRequests if the account uses its share
   */
  readonly open: (account: Pick<Account, 'id'>, declaredBytes: number) => BodyShare;
}

/** The part of the budget that one request uses. Dispose it when the job has ended. */
export interface BodyShare extends Disposable {
  /** Adds received bytes. @throws Failure unavailable if the budget is exhausted; tooManyRequests if the account uses its share */
  readonly add: (bytes: number) => void;
  /** Moves bytes that have been written to the disk from the memory to the disk. */
  readonly release: (bytes: number) => void;
  /** Call this when the body is complete. `bytes` of it stay in memory. */
  readonly keep: (bytes: number) => void;
}

export interface BodyBudgetOptions {
  /**
   * Maximum bytes of all bodies in memory together. The bodies of one account may use as much as is left for others. The only body of
   * an account may use more, up to max-upload.
   */
  readonly maxBytes: number;
  /** Returns the free bytes of the disk with the uploads; undefined if unknown. */
  readonly freeDiskBytes: () => number | undefined;
}

export function openBodyBudget({ maxBytes, freeDiskBytes }: BodyBudgetOptions): BodyBudget {
  let totalBytes = 0;
  const bytesByAccount = new Map<number, number>();
  const diskBytesByAccount = new Map<number, number>();
  return {
    open({ id: account }, declaredBytes) {
      let ownBytes = 0;
      let ownDiskBytes = 0;
      const accountBytes = () => bytesByAccount.get(account) ?? 0;
      const checkRoomFor = (bytes: number) => {
        const leftBytes = maxBytes - totalBytes - bytes;
        if (accountBytes() > ownBytes && accountBytes() + bytes > leftBytes)
          throw shareUsed(accountBytes(), maxBytes);
        if (totalBytes > ownBytes && leftBytes < 0) throw noRoom();
      };
      checkRoomFor(declaredBytes);
      const setOwnBytes = (bytes: number) => {
        addTo(bytesByAccount, account, bytes - ownBytes);
        totalBytes += bytes - ownBytes;
        ownBytes = bytes;
      };
      return {
        add(bytes) {
          checkRoomFor(bytes);
          const accountDiskBytes = diskBytesByAccount.get(account) ?? 0;
          // If a single upload fills the disk, the write of its file fails.
          if (accountDiskBytes > ownDiskBytes) checkDisk(accountDiskBytes, freeDiskBytes());
          setOwnBytes(ownBytes + bytes);
        },
        release(bytes) {
          setOwnBytes(ownBytes - bytes);
          addTo(diskBytesByAccount, account, bytes);
          ownDiskBytes += bytes;
        },
        keep(bytes) {
          setOwnBytes(bytes);
        },
        [Symbol.dispose]() {
          setOwnBytes(0);
          addTo(diskBytesByAccount, account, -ownDiskBytes);
          ownDiskBytes = 0;
        },
      };
    },
  };
}

function addTo(bytesByAccount: Map<number, number>, account: number, bytes: number): void {
  const total = (bytesByAccount.get(account) ?? 0) + bytes;
  if (total > 0) bytesByAccount.set(account, total);
  else bytesByAccount.delete(account);
}

/** @throws Failure tooManyRequests if the uploads of an account use more of the disk than is free */
function checkDisk(accountBytes: number, freeBytes: number | undefined): void {
  if (freeBytes === undefined || accountBytes <= freeBytes) return;
  const message = `The uploads of your account that are being converted take ${megabytes(accountBytes)} of the disk, and only ${megabytes(freeBytes)} are free. Send fewer requests at the same time, or free space on the disk.`;
  throw new Failure('tooManyRequests', message, { retryAfter: 2 });
}

/** The values of forms are strings in V8's heap. All heaps of Electron share 4 GB of addresses (pointer compression). */
const maxHeapBytes = 1_500_000_000;

/**
 * Returns the memory for request bodies and outputs, in bytes: a quarter of the memory available to this process and at most 1.5 GB, but
 * at least twice the largest body and output, so that those of one account leave as much to others.
 */
export function bodyMemoryBytes(
  { 'max-upload': maxUpload, 'max-output': maxOutput }: Pick<Settings, 'max-upload' | 'max-output'>,
  availableBytes = availableMemory(),
): number {
  return Math.max(Math.min(availableBytes / 4, maxHeapBytes), 2 * Math.max(maxUpload, maxOutput));
}

function shareUsed(accountBytes: number, maxBytes: number): Failure {
  const message = `The requests of your account, with outputs that have not been read, take ${megabytes(accountBytes)} of the ${megabytes(maxBytes)} of memory for all requests, and with this one they would take more than is left for others. Send fewer requests at the same time, read outputs without delay, send large documents as files (multipart/form-data), or run Platen with more memory.`;
  return new Failure('tooManyRequests', message, { retryAfter: 2 });
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function noRoom(): Failure {
  const message =
    'Other requests use all the memory that is reserved for request bodies and outputs. Try again in a moment.';
  return new Failure('unavailable', message, { retryAfter: 2 });
}
