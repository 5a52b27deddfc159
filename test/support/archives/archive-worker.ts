/** Unpacks archives with the compiled archive worker, and detects files written outside the target folder. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../../main/failure/failure.ts';
import { unpackArchive } from '../../../main/input/archive/unpack-archive.ts';
import type { UnpackedArchive } from '../../../main/input/archive/tree.ts';
import { defaultLimits, type ArchiveLimits } from '../../../main/input/archive/limits.ts';

export interface Unpacker extends Disposable {
  /** Unpacks into a new folder. */
  unpack(archive: Buffer, options?: UnpackOptions): Promise<Unpacked>;
}

export interface UnpackOptions {
  readonly limits?: Partial<ArchiveLimits>;
  readonly signal?: AbortSignal;
  /** Called with the path of the target folder before the worker starts. */
  readonly onFolder?: (folder: string) => void;
}

export interface Unpacked {
  readonly unpacked: UnpackedArchive | undefined;
  readonly error: unknown;
  /** The target folder, `a/b/job` in a temporary folder. */
  readonly folder: string;
  /**
   * Relative paths in the temporary folder, with slashes, except below the target folder. If no entry escaped: the uploaded file,
   * `a`, `a/b`, `a/b/job`.
   */
  readonly outsideFiles: readonly string[];
  readonly milliseconds: number;
  /** The peak growth of this process's resident memory during unpacking, in MB. */
  readonly grownMegabytes: number;
}

export function startUnpacker(): Unpacker {
  const home = mkdtempSync(join(tmpdir(), 'platen-archive-'));
  const workerFile = fileURLToPath(import.meta.resolve('./archive-worker-program.ts'));
  let count = 0;
  return {
    async unpack(archive, { limits = {}, signal = new AbortController().signal, onFolder } = {}) {
      count += 1;
      const job = join(home, String(count));
      // Nested, so that a path traversal stays in the temporary folder and the test detects its files.
      const folder = join(job, 'a', 'b', 'job');
      mkdirSync(folder, { recursive: true });
      onFolder?.(folder);
      const path = join(job, 'upload');
      writeFileSync(path, archive);
      const growth = watchMemory();
      const started = Date.now();
      const order = { path, folder, limits: { ...defaultLimits, ...limits }, signal, scriptFile: workerFile };
      const [unpacked, error] = await unpackArchive(order).then(
        (done) => [done, undefined] as const,
        (thrown: unknown) => [undefined, thrown] as const,
      );
      const milliseconds = Date.now() - started;
      const outsideFiles = readdirSync(job, { recursive: true })
        .map((name) => String(name).replaceAll(sep, '/'))
        .filter((name) => !name.startsWith('a/b/job/'));
      return {
        unpacked,
        error,
        folder,
        outsideFiles: outsideFiles.sort(),
        milliseconds,
        grownMegabytes: growth(),
      };
    },
    [Symbol.dispose]() {
      rmSync(home, { recursive: true });
    },
  };
}

/** Much less time than decoding an archive bomb takes, and enough for a busy machine. */
const refusalTimeoutMs = 10_000;

/**
 * Asserts that the archive is refused with a matching message within ten seconds, with less than 300 MB of additional memory, and
 * that no file is written outside the target folder.
 */
export async function assertRefused(unpacker: Unpacker, archive: Buffer, message: RegExp): Promise<void> {
  const { error, unpacked, outsideFiles, milliseconds, grownMegabytes } = await unpacker.unpack(archive);
  assert.ok(
    error instanceof Failure,
    `not refused: ${JSON.stringify(unpacked ?? String(error)).slice(0, 200)}`,
  );
  assert.equal(error.kind, 'archiveUnusable');
  assert.match(error.message, message);
  assert.match(error.message, /^[A-Z].*\.$/s);
  assert.deepEqual(outsideFiles, ['a', 'a/b', 'a/b/job', 'upload']);
  assert.ok(milliseconds < refusalTimeoutMs, `took ${milliseconds} ms`);
  assert.ok(grownMegabytes < 300, `grew by ${grownMegabytes} MB`);
}

function watchMemory(): () => number {
  const before = process.memoryUsage.rss();
  let peak = before;
  const sample = (): void => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(sample, 10);
  return () => {
    clearInterval(timer);
    sample();
    return Math.round((peak - before) / 1_000_000);
  };
}
