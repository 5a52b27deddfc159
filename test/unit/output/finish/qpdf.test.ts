import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { PDFDocument } from '@cantoo/pdf-lib';
import { runQpdf, type Encryption } from '../../../../main/output/finish/qpdf.ts';

const open: Encryption = {
  user_password: '',
  owner_password: '',
  no_print: false,
  no_modify: false,
  no_copy: false,
};
const plain = await letter();

async function letter(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle('A secret title');
  for (const text of ['first', 'second', 'third']) document.addPage([200, 100]).drawText(text);
  return document.save({ useObjectStreams: false });
}

async function encrypted(options: Partial<Encryption>): Promise<Uint8Array> {
  return runQpdf(plain, { linearize: false, encryption: { ...open, ...options } });
}

test('without options the bytes are returned unchanged', async () => {
  assert.equal(await runQpdf(plain, { linearize: false }), plain);
});

test('bytes that are not a PDF are an error, without changing the exit code of the process', async () => {
  await assert.rejects(
    runQpdf(Buffer.from('hello'), { linearize: true }),
    /qpdf ended with 2: .*find PDF header/s,
  );
  assert.equal(process.exitCode, undefined);
});

test('two documents can be processed concurrently', async () => {
  const both = await Promise.all([
    runQpdf(plain, { linearize: true }),
    encrypted({ user_password: 'other' }),
  ]);
  assert.deepEqual(
    both.map((bytes) => Buffer.from(bytes).includes('/Encrypt')),
    [false, true],
  );
});

const installed = spawnSync('qpdf', ['--version']).error === undefined;

describe('according to a separate qpdf', { skip: !installed && 'qpdf is not installed' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-qpdf-'));
  after(() => {
    rmSync(folder, { recursive: true });
  });

  function qpdfOutput(bytes: Uint8Array, ...parameters: string[]): { status: number | null; output: string } {
    const file = join(folder, 'checked.pdf');
    writeFileSync(file, bytes);
    const { status, stdout, stderr } = spawnSync('qpdf', [...parameters, file], { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  test('a linearised document is valid and has all pages', async () => {
    const bytes = await runQpdf(plain, { linearize: true });
    const { status, output } = qpdfOutput(bytes, '--check-linearization');
    assert.deepEqual([status, output.includes('no linearization errors')], [0, true], output);
    assert.match(qpdfOutput(bytes, '--check').output, /No syntax or stream encoding errors/);
    assert.equal(qpdfOutput(bytes, '--show-npages').output, '3\n');
  });

  test('an encrypted document uses AES-256 throughout, including its title', async () => {
    const bytes = await encrypted({ user_password: 'open me' });
    const { output } = qpdfOutput(bytes, '--check', '--password=open me');
    assert.match(output, /R = 6\n/);
    for (const what of ['stream', 'string', 'file'])
      assert.match(output, new RegExp(`${what} encryption method: AESv3`));
    assert.match(output, /No syntax or stream encoding errors/);
  });

  test('an encrypted document opens only with its password', async () => {
    const bytes = await encrypted({ user_password: 'open me' });
    for (const wrong of [[], ['--password='], ['--password=open']]) {
      const { status, output } = qpdfOutput(bytes, '--show-npages', ...wrong);
      assert.deepEqual([status, output.includes('invalid password')], [2, true]);
    }
    assert.equal(qpdfOutput(bytes, '--show-npages', '--password=open me').output, '3\n');
  });

  for (const password of [
    'pässwörd€',
    '密码',
    '-dash',
    '--',
    '@file',
    'two words',
    '"quoted"\\',
    'x'.repeat(127),
  ])
    test(`the password ${password.slice(0, 12)} opens the document`, async () => {
      const bytes = await encrypted({ user_password: password, owner_password: 'owner' });
      assert.equal(qpdfOutput(bytes, '--show-npages', `--password=${password}`).output, '3\n');
    });

  test('a password opens the document in any Unicode normalisation (RFC 4013)', async () => {
    const bytes = await encrypted({ user_password: 'pa\u0308ss\u00A0wo\u00ADrd' });
    assert.equal(qpdfOutput(bytes, '--show-npages', '--password=p\u00E4ss word').output, '3\n');
  });

  test('a document can be encrypted and linearised', async () => {
    const encryption = { ...open, user_password: 'both' };
    const bytes = await runQpdf(plain, { linearize: true, encryption });
    const { status, output } = qpdfOutput(bytes, '--check', '--password=both');
    assert.equal(status, 0);
    assert.match(output, /File is linearized/);
    assert.match(output, /R = 6\n/);
  });

  test('with two empty passwords a document is encrypted and opens without a password', async () => {
    const { status, output } = qpdfOutput(await encrypted({}), '--check');
    assert.equal(status, 0);
    assert.match(output, /R = 6\n/);
  });

  const flags = {
    no_print: [/print low resolution: not allowed/, /print high resolution: not allowed/],
    no_modify: [
      /modify anything: not allowed/,
      /modify annotations: not allowed/,
      /modify forms: not allowed/,
    ],
    no_copy: [/extract for any purpose: not allowed/],
  };
  for (const [flag, expected] of Object.entries(flags))
    test(`${flag} forbids only its permission, even without a user password`, async () => {
      const { output } = qpdfOutput(await encrypted({ [flag]: true }), '--show-encryption');
      assert.match(output, /Supplied password is user password/);
      assert.doesNotMatch(output, /Supplied password is owner password/);
      for (const line of expected) assert.match(output, line);
      const others = Object.entries(flags).filter(([name]) => name !== flag);
      for (const line of others.flatMap(([, lines]) => lines)) assert.doesNotMatch(output, line);
      assert.match(output, /extract for accessibility: allowed/);
    });

  test('the owner password permits everything', async () => {
    const bytes = await encrypted({ user_password: 'user', owner_password: 'boss', no_print: true });
    const { output } = qpdfOutput(bytes, '--show-encryption', '--password=boss');
    assert.match(output, /Supplied password is owner password/);
    assert.doesNotMatch(output, /Supplied password is user password/);
  });

  test('without an owner password, the user password does not open the document as its owner', async () => {
    const { output } = qpdfOutput(
      await encrypted({ user_password: 'user' }),
      '--show-encryption',
      '--password=user',
    );
    assert.doesNotMatch(output, /Supplied password is owner password/);
  });
});
