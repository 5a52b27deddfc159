import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openRotatingFile, type RotatingFileOptions } from '../../../main/log/service-log.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'platen-rotation-'));
const never = (problem: string) => {
  assert.fail(problem);
};

function open(path: string, options: Partial<RotatingFileOptions> = {}) {
  return openRotatingFile({ path, size: 1000, count: 3, onProblem: never, ...options });
}

/** Returns all lines of the log file and its rotated files, oldest first. */
function linesUnder(path: string, count: number): string[] {
  const paths = Array.from({ length: count }, (_, number) => (number === 0 ? path : `${path}.${number}`));
  return paths
    .reverse()
    .flatMap((path) => readIfThere(path).split(/(?<=\n)/))
    .filter((line) => line !== '');
}

function readIfThere(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? '' : readFileSync(path, 'utf8');
}

/** Lines of very different lengths, some longer than the maximum file size. */
const lines = Array.from({ length: 80 }, (_, number) => `${number} ${'é'.repeat((number * 37) % 700)}\n`);

describe('a log file', () => {
  test('rotates without losing or splitting lines', () => {
    const path = join(folder(), 'platen.log');
    const file = open(path, { count: 100 });
    for (const line of lines) file.write(line);
    assert.deepEqual(linesUnder(path, 100), lines);
  });

  test('never exceeds its maximum size, except for a single longer line', () => {
    const path = join(folder(), 'platen.log');
    const file = open(path, { count: 100 });
    for (const line of lines) file.write(line);
    for (const name of readdirSync(join(path, '..'))) {
      const text = readFileSync(join(path, '..', name), 'utf8');
      assert.ok(Buffer.byteLength(text) <= 1000 || text.trimEnd().split('\n').length === 1, name);
    }
  });

  test('keeps the configured number of files, with the newest lines', () => {
    for (const count of [1, 2, 5]) {
      const path = join(folder(), 'platen.log');
      const file = open(path, { count });
      for (const line of lines) file.write(line);
      assert.equal(readdirSync(join(path, '..')).length, count);
      const keptLines = linesUnder(path, count);
      assert.deepEqual(keptLines, lines.slice(-keptLines.length));
    }
  });

  test('is continued after a restart, and surplus rotated files are removed', () => {
    const path = join(folder(), 'platen.log');
    for (const name of ['', '.1', '.2', '.3', '.17']) writeFileSync(path + name, `old${name}\n`);
    writeFileSync(`${path}.txt`, 'not ours\n');
    open(path).write('new\n');
    assert.equal(readFileSync(path, 'utf8'), 'old\nnew\n');
    const names = ['platen.log', 'platen.log.1', 'platen.log.2', 'platen.log.txt'];
    assert.deepEqual(readdirSync(join(path, '..')).sort(), names);
  });

  test('is readable only by its owner, in a folder created for it', () => {
    const path = join(folder(), 'logs', 'of', 'platen.log');
    const file = open(path);
    for (const line of lines) file.write(line);
    const isPrivate = (name: string) => (statSync(path + name).mode & 0o777) === 0o600;
    // On Windows, a file has no mode. A new file inherits the permissions of its folder.
    for (const name of ['', '.1', '.2']) assert.ok(isPrivate(name) || process.platform === 'win32', name);
  });

  test('that was truncated is filled again before it rotates', () => {
    const path = join(folder(), 'platen.log');
    const file = open(path);
    file.write(`${'a'.repeat(899)}\n`);
    writeFileSync(path, '');
    file.write(`${'b'.repeat(899)}\n`);
    assert.equal(readFileSync(path, 'utf8'), `${'b'.repeat(899)}\n`);
  });

  test('that cannot be written is refused, with its path and the reason', () => {
    const where = folder();
    writeFileSync(join(where, 'file'), '');
    const cases: readonly [string, RegExp][] = [
      [where, /^the log file \S+ cannot be written: it is not a regular file\.$/],
      [
        join(where, 'file', 'platen.log'),
        /^the log file \S+platen\.log cannot be written: .*(ENOTDIR|ENOENT)/,
      ],
      [devNull, /nul+ cannot be written: (it is not a regular file|.* does not exist)/i],
    ];
    for (const [path, message] of cases) assert.throws(() => open(path), { message });
  });

  test('that cannot rotate grows, with a warning, without losing lines', () => {
    const path = join(folder(), 'platen.log');
    mkdirSync(join(`${path}.1`, 'in the way'), { recursive: true });
    const problems: string[] = [];
    const file = open(path, { count: 2, onProblem: (problem) => problems.push(problem) });
    const expected = Array.from({ length: 30 }, (_, number) => `${number} ${'x'.repeat(96)}\n`);
    for (const line of expected) file.write(line);
    assert.equal(readFileSync(path, 'utf8'), expected.join(''));
    assert.match(
      problems[0] ?? '',
      /^the log file \S+ cannot be rotated and exceeds its size: (EISDIR|EPERM)/,
    );
    // Once per rotation attempt, not once per line.
    assert.equal(problems.length, 2);
  });

  test(
    'on a full disk drops whole lines, with one warning, and resumes later',
    {
      skip: process.platform !== 'linux',
    },
    () => {
      const path = join(folder(), 'platen.log');
      const program = fileURLToPath(import.meta.resolve('../../support/service/line-writer-program.ts'));
      const output = execFileSync(process.execPath, [program, path], { encoding: 'utf8' });
      const [first, second, ...more] = output.trimEnd().split('\n');
      assert.match(first ?? '', /cannot be written, and log lines are lost: EFBIG/);
      assert.match(second ?? '', /can be written again; 7 lines were lost\.$/);
      assert.deepEqual(more, []);
      assert.equal(readFileSync(path, 'utf8'), `${'x'.repeat(299)}\n`.repeat(4));
    },
  );
});
