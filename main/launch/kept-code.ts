/**
 * Runs a compiled program as V8 has it from the last run: reading and compiling a service's five megabytes takes longer than
 * opening its windows. What V8 made of it is kept beside it where that can be written, and made anew when either changed.
 */
import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { accessSync, constants, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

type Wrapped = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  filename: string,
  folder: string,
  importModule: (name: string) => Promise<unknown>,
) => void;

/** Milliseconds after the beginning: by then a start is over, and what it ran is still compiled (V8 drops it later). */
const usualWait = 2500;

/**
 * Runs a CommonJS file of a whole path; what it exports. V8's code is kept `wait` milliseconds later, or when the process ends
 * before: that takes about 30.
 * @throws what the program throws; Error when the file cannot be read
 */
export function runKept(file: string, wait = usualWait): object {
  const content = readFileSync(file);
  const known = keptCode(file, content);
  // Text of one byte a character takes V8 a fraction of the time.
  const text = content.toString(isAscii(content) ? 'latin1' : 'utf8');
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname, importModule) { ${text}\n})`,
    { filename: file, ...(known && { cachedData: known.code }) },
  );
  const program = { exports: {} };
  const run = script.runInThisContext() as Wrapped;
  // What V8 kept of a program knows no loader for its `import()`, so compiling puts this in its place (compile.mjs).
  run(program.exports, createRequire(file), program, file, dirname(file), (name) => import(name));
  // Another V8, or one with other switches, takes none but its own.
  const taken = script.cachedDataRejected === true ? undefined : known?.from;
  if (taken !== 'whole start') keepLater({ file, content, script }, { wait, atEnd: taken === undefined });
  return program.exports;
}

/** What the code is of; a command that ends at once has run little, and what lives on replaces what it kept. */
type From = 'whole start' | 'short run';

interface Ran {
  readonly file: string;
  readonly content: Buffer;
  readonly script: Script;
}

function keepLater(ran: Ran, { wait, atEnd }: { readonly wait: number; readonly atEnd: boolean }): void {
  const onExit = () => {
    keep(ran, 'short run');
  };
  if (atEnd) process.once('exit', onExit);
  setTimeout(() => {
    process.off('exit', onExit);
    keep(ran, 'whole start');
  }, wait).unref();
}

const digestLength = 32;

/** Undefined when there is none, or it is of another program, or damaged: V8 itself looks at lengths. */
function keptCode(file: string, content: Buffer): { readonly code: Buffer; readonly from: From } | undefined {
  try {
    const kept = readFileSync(placeOf(file));
    const [digest, marked] = [kept.subarray(0, digestLength), kept.subarray(digestLength)];
    if (!digest.equals(digestOf(content, marked))) return undefined;
    return { code: marked.subarray(0, -1), from: marked.at(-1) === 1 ? 'whole start' : 'short run' };
  } catch {
    return undefined;
  }
}

/** Moved into its place when it is whole: another process may be reading it. */
function keep({ file, content, script }: Ran, from: From): void {
  const made = `${placeOf(file)}.${process.pid}`;
  try {
    // A program that was installed for all, or lies in an archive, can be written by nobody; it starts as it did.
    accessSync(dirname(file), constants.W_OK);
    const marked = Buffer.concat([script.createCachedData(), Buffer.of(from === 'whole start' ? 1 : 0)]);
    writeFileSync(made, Buffer.concat([digestOf(content, marked), marked]));
    renameSync(made, placeOf(file));
  } catch {
    removeIfThere(made);
  }
}

function removeIfThere(path: string): void {
  try {
    rmSync(path);
  } catch {
    // It never was.
  }
}

function digestOf(content: Buffer, code: Buffer): Buffer {
  return createHash('sha256').update(process.versions.v8).update(content).update(code).digest();
}

/** Electron and Node, which may run the same program, keep theirs apart. */
function placeOf(file: string): string {
  return `${file}.${process.versions.modules}.code`;
}
