/**
 * Runs a compiled program with V8's code cache. Without it, reading and compiling the service's five megabytes takes longer than
 * opening its windows. The cache is a file next to the program. It is written only if the folder is writable, and rewritten when
 * the program or V8 changes.
 */
import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { accessSync, constants, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
// Not the global, which the template worker removes.
import process from 'node:process';
import { Script } from 'node:vm';

type ModuleWrapper = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  filename: string,
  folder: string,
  importModule: (name: string) => Promise<unknown>,
) => void;

/** After this time the start is complete, and V8 has not yet discarded the functions compiled for it. */
const defaultDelayMs = 2500;

/**
 * Runs a CommonJS file, given by its absolute path, and returns its exports. If the cache needs to be written, this happens
 * `delayMs` later, or when the process exits earlier. Writing takes about 30 ms.
 * @throws what the program throws; Error if the file cannot be read
 */
export function runWithCodeCache(file: string, delayMs = defaultDelayMs): object {
  const content = readFileSync(file);
  const cached = readCachedCode(file, content);
  // V8 parses one-byte strings much faster.
  const text = content.toString(isAscii(content) ? 'latin1' : 'utf8');
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname, importModule) { ${text}\n})`,
    { filename: file, ...(cached && { cachedData: cached.code }) },
  );
  const program = { exports: {} };
  const run = script.runInThisContext() as ModuleWrapper;
  // Cached code has no loader for `import()`, so the build replaces it with this function (compile.mjs).
  run(program.exports, createRequire(file), program, file, dirname(file), (name) => import(name));
  // V8 rejects a cache from another version or with other flags.
  const acceptedOrigin = script.cachedDataRejected === true ? undefined : cached?.origin;
  if (acceptedOrigin !== 'whole start')
    scheduleCacheWrite({ file, content, script }, { delayMs, writeOnExit: acceptedOrigin === undefined });
  return program.exports;
}

/** What the cache contains. A command that exits quickly compiles little, so a longer run replaces the cache of a short one. */
type CacheOrigin = 'whole start' | 'short run';

interface CompiledProgram {
  readonly file: string;
  readonly content: Buffer;
  readonly script: Script;
}

function scheduleCacheWrite(
  program: CompiledProgram,
  { delayMs, writeOnExit }: { readonly delayMs: number; readonly writeOnExit: boolean },
): void {
  const onExit = () => {
    writeCachedCode(program, 'short run');
  };
  if (writeOnExit) process.once('exit', onExit);
  setTimeout(() => {
    process.off('exit', onExit);
    writeCachedCode(program, 'whole start');
  }, delayMs).unref();
}

const digestBytes = 32;

/**
 * Returns undefined if the cache is missing, damaged, or from another program or version of V8. V8 also checks the source's length.
 */
function readCachedCode(
  file: string,
  content: Buffer,
): { readonly code: Buffer; readonly origin: CacheOrigin } | undefined {
  try {
    const cacheFile = readFileSync(cachePath(file));
    const digest = cacheFile.subarray(0, digestBytes);
    const payload = cacheFile.subarray(digestBytes);
    if (!digest.equals(digestOf(content, payload))) return undefined;
    return {
      code: payload.subarray(0, -1),
      origin: payload.at(-1) === 1 ? 'whole start' : 'short run',
    };
  } catch {
    return undefined;
  }
}

/** Writes a temporary file and renames it, because another process may be reading the cache. */
function writeCachedCode({ file, content, script }: CompiledProgram, origin: CacheOrigin): void {
  const temporaryFile = `${cachePath(file)}.${process.pid}`;
  try {
    // The folder of a program installed for all users, or in an archive, is not writable. The program then runs without a cache.
    accessSync(dirname(file), constants.W_OK);
    const markedCode = Buffer.concat([
      script.createCachedData(),
      Buffer.of(origin === 'whole start' ? 1 : 0),
    ]);
    writeFileSync(temporaryFile, Buffer.concat([digestOf(content, markedCode), markedCode]));
    renameSync(temporaryFile, cachePath(file));
  } catch {
    removeIfThere(temporaryFile);
  }
}

function removeIfThere(path: string): void {
  try {
    rmSync(path);
  } catch {
    // The file was never created.
  }
}

function digestOf(content: Buffer, code: Buffer): Buffer {
  return createHash('sha256').update(process.versions.v8).update(content).update(code).digest();
}

/** Electron and Node may run the same program; each has its own cache file. */
function cachePath(file: string): string {
  return `${file}.${process.versions.modules}.code`;
}
