/**
 * Runs the examples in the documentation (README.md, docs/, client/README.md) as if a reader pasted them into a terminal.
 *
 * The mark on the fence of a block decides how it is tested:
 *
 *   ```sh run             Bash runs the block in an empty folder, and stops at the first command that fails. The block must create
 *                         its input. `platen` and `npx platen` run the command line of this clone. The address of the test's
 *                         service replaces 127.0.0.1:8730 and localhost:8730; the account is demo/demo. Every file that a curl
 *                         command names with -o must exist afterwards, and every .pdf and image must be valid.
 *   ```sh not run: why    The block cannot run here, because it needs a page of the reader, a key or the internet.
 *   ```js run             A Node.js program that uses the client. test/api/clients/client.test.ts runs the program.
 *
 * A block that calls the service with curl must have one of the two sh marks.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { examples, examplesIn, type Example } from '../../support/clients/documentation.ts';
import { readImage } from '../../support/output/image.ts';
import { defaultService } from '../../support/service/default-service.ts';
import { project, temporaryFolder, type Service } from '../../support/service/service.ts';

const shells = ['', 'sh', 'bash', 'shell', 'zsh', 'console', 'text', 'txt'];
const all = examples();
const isRun = ({ language, mark }: Example) => shells.includes(language) && mark === 'run';
const isProgram = ({ language, mark }: Example) => language === 'js' && mark === 'run';
const isExplained = ({ mark }: Example) => /^not run: \S/.test(mark);
const asksByCurl = ({ language, body }: Example) => shells.includes(language) && /\bcurl\b/.test(body);

test('every curl example is marked as run, or as not run with a reason', () => {
  const forgotten = all.filter((example) => asksByCurl(example) && !isRun(example) && !isExplained(example));
  const advice = 'mark the fence with "sh run", or with "sh not run: " and the reason';
  assert.deepEqual(
    forgotten.map(({ place }) => place),
    [],
    advice,
  );
});

test('code fences have only known marks, in a language that can run', () => {
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

test('examples are also found in lists, where they are indented, and with nested fences', () => {
  const page = '1. First:\n\n   ```sh run\n   curl a \\\n     b\n   ```\n\n````md\n```sh\ncurl\n```\n````\n';
  assert.deepEqual(examplesIn(page, 'page.md'), [
    { place: 'page.md, line 3', language: 'sh', mark: 'run', body: 'curl a \\\n  b\n' },
    { place: 'page.md, line 8', language: 'md', mark: '', body: '```sh\ncurl\n```\n' },
  ]);
});

const skip = process.platform === 'win32' && 'the examples are for a POSIX shell';

describe('The documentation works when pasted into a terminal', { skip }, () => {
  let service: Service;
  const folder = temporaryFolder();
  before(async () => {
    makePrograms(join(folder, 'bin'));
    service = await defaultService();
  });
  after(() => {
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
      for (const name of outputsOf(body)) assert.ok(existsSync(join(place, name)), `${name} was not written`);
      for (const name of filesIn(place)) await assertSound(name);
    });
  }
});

/** Creates the programs `platen` and `npx`, which run the command line of this clone. */
function makePrograms(folder: string): void {
  mkdirSync(folder);
  const platen = `exec '${process.execPath}' '${join(project, '.build', 'platen.cjs')}' "$@"\n`;
  const programs = { platen, npx: `[ "$1" = platen ] || exit 1\nshift\n${platen}` };
  for (const [name, program] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${program}`);
    chmodSync(join(folder, name), 0o755);
  }
}

/** Returns the names of the output files of curl commands, except names with shell variables. */
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
    assert.ok((await readImage(readFileSync(path))).width > 0, path);
  }
}
