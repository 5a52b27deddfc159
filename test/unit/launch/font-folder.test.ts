import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fontEnvironment } from '../../../main/launch/font-folder.ts';
import { temporaryFolder } from '../../support/service/service.ts';

const skip = process.platform !== 'linux' && 'the service uses fontconfig only on Linux';

describe('the fontconfig file of the service', { skip }, () => {
  let data = '';
  before(() => {
    data = temporaryFolder();
  });
  after(() => {
    rmSync(data, { recursive: true });
  });
  const written = (environment: NodeJS.ProcessEnv, name = 'fonts & more') => {
    const folders = { fonts: join(data, name), fontconfig: join(data, 'kept') };
    const { FONTCONFIG_FILE = '' } = fontEnvironment(folders, environment);
    return { file: FONTCONFIG_FILE, text: readFileSync(FONTCONFIG_FILE, 'utf8') };
  };

  test('adds the font folder to the fonts of the system, and the folder is created with mode 700', () => {
    const { text } = written({});
    assert.match(text, /<include ignore_missing="yes">\/etc\/fonts\/fonts\.conf<\/include>/);
    assert.ok(text.includes(`<dir>${join(data, 'fonts &amp; more')}</dir>`), text);
    assert.equal(statSync(join(data, 'fonts & more')).mode & 0o777, 0o700);
  });

  test('includes the file that FONTCONFIG_FILE or FONTCONFIG_PATH names', () => {
    assert.match(written({ FONTCONFIG_FILE: '/srv/fonts.conf' }).text, />\/srv\/fonts\.conf</);
    assert.match(written({ FONTCONFIG_FILE: 'few.conf' }).text, />\/etc\/fonts\/few\.conf</);
    assert.match(written({ FONTCONFIG_PATH: '/srv' }).text, />\/srv\/fonts\.conf</);
  });

  test('is written only if its content changes', () => {
    const { file, text } = written({});
    const { mtimeMs } = statSync(file);
    assert.equal(written({}).text, text);
    assert.equal(statSync(file).mtimeMs, mtimeMs);
    assert.notEqual(written({ FONTCONFIG_PATH: '/srv' }).text, text);
  });

  test('is not used when it cannot be written', () => {
    writeFileSync(join(data, 'no folder'), '');
    mkdirSync(join(data, 'there'), { recursive: true });
    const folders = { fonts: join(data, 'there'), fontconfig: join(data, 'no folder', 'kept') };
    assert.deepEqual(fontEnvironment(folders, {}), {});
  });
});
