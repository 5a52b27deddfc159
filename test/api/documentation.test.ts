/**
 * Runs the examples of the documentation (README.md, docs/, client/README.md) as a reader who pastes them does.
 *
 * What stands behind the fence of a block says what becomes of it:
 *
 *   ```sh run             it is run here by bash, which stops at the first command that fails, in a folder of its own that
 *                         is empty, so it makes its own input; `platen` and `npx platen` are this clone's. The service of the
 *                         test takes the place of the one at 127.0.0.1:8730 or localhost:8730, with the account demo/demo. Every
 *                         file that a curl command names with -o must be there afterwards, and every .pdf and picture be one.
 *   ```sh not run: why    it cannot be run, and why: a page of the reader's own, a key nobody has, the internet.
 *   ```js run             a program for Node with the client; test/api/client.test.ts runs it.
 *
 * A block that asks the service with curl must have one of the two marks, so that no example is forgotten.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { examples, examplesIn, type Example } from '../support/documentation.ts';
import { readPicture } from '../support/picture.ts';
import { project, startService, temporaryFolder, type Service } from '../support/service.ts';

const shells = ['', 'sh', 'bash', 'shell', 'zsh', 'console', 'text', 'txt'];
const all = examples();
const isRun = ({ language, mark }: Example) => shells.includes(language) && mark === 'run';
const isProgram = ({ language, mark }: Example) => language === 'js' && mark === 'run';
const isExplained = ({ mark }: Example) => /^not run: \S/.test(mark);
const asksByCurl = ({ language, body }: Example) => shells.includes(language) && /\bcurl\b/.test(body);

test('every curl example runs, or states why it cannot', () => {
  const forgotten = all.filter((example) => asksByCurl(example) && !isRun(example) && !isExplained(example));
  const advice = 'write "sh run" behind the fence, or "sh not run: " and why';
  assert.deepEqual(
    forgotten.map(({ place }) => place),
    [],
    advice,
  );
});

test('marks on code fences exist and belong to a language that is run', () => {
  const odd = all.filter(
    (example) =>
      /^(not|run|skip)/i.test(example.mark) &&
      !isRun(example) &&
      !isExplained(example) &&
      !isProgram(example),
  );
  assert.deepEqual(
    odd.map(({ place, language, mark }) => `${place}: ${language} ${mark}`),
    [],
  );
});

test('examples in lists are found too, without indentation and with nested fences', () => {
  const page = '1. First:\n\n   ```sh run\n   curl a \\\n     b\n   ```\n\n````md\n```sh\ncurl\n```\n````\n';
  assert.deepEqual(examplesIn(page, 'page.md'), [
    { place: 'page.md, line 3', language: 'sh', mark: 'run', body: 'curl a \\\n  b\n' },
    { place: 'page.md, line 8', language: 'md', mark: '', body: '```sh\ncurl\n```\n' },
  ]);
});

describe('Pasted into a terminal, the documentation works', () => {
  let service: Service;
  const folder = temporaryFolder();
  before(async () => {
    makePrograms(join(folder, 'bin'));
    service = await startService();
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [index, example] of all.filter(isRun).entries()) {
    test(example.place, async () => {
      const place = join(folder, String(index));
      mkdirSync(place);
      const body = example.body.replaceAll(/(127\.0\.0\.1|localhost):8730/g, new URL(service.url).host);
      const { status, stdout, stderr } = spawnSync('bash', ['-eu', '-o', 'pipefail', '-c', body], {
        cwd: place,
        encoding: 'utf8',
        timeout: 300_000,
        env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`, PLATEN_TRAY: 'off' },
      });
      assert.equal(status, 0, `${stdout}${stderr}`);
      for (const name of outputsOf(body)) assert.ok(existsSync(join(place, name)), `${name} is not there`);
      for (const name of filesIn(place)) await assertSound(name);
    });
  }
});

/** The clone's own command line, as in a clone and where it is installed. */
function makePrograms(folder: string): void {
  mkdirSync(folder);
  const platen = `exec '${process.execPath}' '${join(project, '.build', 'platen.cjs')}' "$@"\n`;
  const programs = { platen, npx: `[ "$1" = platen ] || exit 1\nshift\n${platen}` };
  for (const [name, program] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${program}`);
    chmodSync(join(folder, name), 0o755);
  }
}

/** The files that curl is told to write, unless the shell makes up their names. */
function outputsOf(body: string): string[] {
  const commands = body.replaceAll('\\\n', ' ').split(/[\n;|]|&&/);
  const named = commands
    .filter((command) => /\bcurl\b/.test(command))
    .flatMap((command) => [
      ...command.matchAll(/\s(?:-[a-zA-Z]*o|--output)[ =](?:"([^"]+)"|'([^']+)'|(\S+))/g),
    ]);
  return named
    .map(([, double, single, bare]) => double ?? single ?? bare ?? '')
    .filter((name) => !/^(-|\/dev\/.*)$|\$/.test(name));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
}

async function assertSound(path: string): Promise<void> {
  if (path.endsWith('.pdf')) {
    const bytes = readFileSync(path);
    assert.match(bytes.subarray(0, 8).toString('latin1'), /^%PDF-/, bytes.subarray(0, 300).toString());
    const { status, stderr } = spawnSync('pdfinfo', [path], { encoding: 'utf8' });
    assert.ok(status === 0 || stderr.includes('Incorrect password'), `${path}: ${stderr}`);
  } else if (/\.(png|jpe?g|webp|gif|tiff|avif)$/.test(path)) {
    assert.ok((await readPicture(readFileSync(path))).width > 0, path);
  }
}
