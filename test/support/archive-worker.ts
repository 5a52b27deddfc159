/** The archive worker, compiled like the worker of the service, and a target folder that shows files written outside it. */
import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../main/failure/failure.ts';
import { unpackArchive } from '../../main/input/archive/unpack-archive.ts';
import type { UnpackedArchive } from '../../main/input/archive/tree.ts';
import { defaultLimits, type ArchiveLimits } from '../../main/input/archive/limits.ts';

export interface Unpacker extends Disposable {
  /** Unpacks into a new folder. */
  unpack(archive: Buffer, options?: UnpackOptions): Promise<Unpacked>;
}

export interface UnpackOptions {
  readonly limits?: Partial<ArchiveLimits>;
  readonly signal?: AbortSignal;
  /** Called with the folder of the job before the worker starts. */
  readonly onFolder?: (folder: string) => void;
}

export interface Unpacked {
  readonly unpacked: UnpackedArchive | undefined;
  readonly error: unknown;
  /** The folder of the job. */
  readonly folder: string;
  /** Entries next to the job folder after unpacking; only the upload and the folder itself if no entry escaped. */
  readonly outsideFiles: readonly string[];
  readonly milliseconds: number;
  /** Growth of the process during unpacking, in MB. */
  readonly grownMegabytes: number;
}

export async function startUnpacker(): Promise<Unpacker> {
  const home = mkdtempSync(join(tmpdir(), 'platen-archive-'));
  const workerFile = join(home, 'archive-worker.cjs');
  await build({
    entryPoints: [fileURLToPath(new URL('../../main/input/archive/worker.ts', import.meta.url))],
    outfile: workerFile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
  });
  let count = 0;
  return {
    async unpack(archive, { limits = {}, signal = new AbortController().signal, onFolder } = {}) {
      count += 1;
      const job = join(home, String(count));
      // A path traversal stays within this folder, so the test sees its files.
      const folder = join(job, 'a', 'b', 'job');
      mkdirSync(folder, { recursive: true });
      onFolder?.(folder);
      const path = join(job, 'upload');
      writeFileSync(path, archive);
      const growth = watchMemory();
      const started = Date.now();
      const order = { path, folder, limits: { ...defaultLimits, ...limits }, signal, workerFile };
      const [unpacked, error] = await unpackArchive(order).then(
        (done) => [done, undefined] as const,
        (thrown: unknown) => [undefined, thrown] as const,
      );
      const milliseconds = Date.now() - started;
      const outsideFiles = readdirSync(job, { recursive: true })
        .map(String)
        .filter((name) => !name.startsWith(join('a', 'b', 'job', '/')));
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

/** Much less than a bomb takes to decode, and enough for a busy machine. */
const refusalTimeoutMs = 10_000;

/** Asserts that the archive is refused in time, within memory, with the sentence, and without files outside the folder. */
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
