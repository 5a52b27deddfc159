import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fonts } from '../../../../main/cli/config/checks.ts';
import { loadSettings } from '../../../../main/settings/load.ts';

const { stdout } = spawnSync('fc-list', [':', 'file'], { encoding: 'utf8' });
const [font = ''] = /^\S+\.(ttf|otf)/m.exec(stdout) ?? [];

test(
  'the font check counts fonts in the data folder, and names its fonts folder if there are none',
  { skip: (process.platform !== 'linux' || font === '') && 'needs Linux and an installed font' },
  async (t) => {
    const data = mkdtempSync(join(tmpdir(), 'platen-fonts-'));
    const { FONTCONFIG_FILE } = process.env;
    t.after(() => {
      if (FONTCONFIG_FILE === undefined) delete process.env.FONTCONFIG_FILE;
      else process.env.FONTCONFIG_FILE = FONTCONFIG_FILE;
      rmSync(data, { recursive: true });
    });
    process.env.FONTCONFIG_FILE = join(data, 'empty.conf');
    const cache = `<cachedir>${join(data, 'cache')}</cachedir>`;
    writeFileSync(process.env.FONTCONFIG_FILE, `<?xml version="1.0"?><fontconfig>${cache}</fontconfig>`);
    const settings = loadSettings({ flags: ['--data', data], environment: {} });
    const check = async () => fonts.run({ settings, servicePid: undefined });
    await assert.rejects(
      check(),
      new RegExp(`No fonts are installed; .* put font files into ${join(data, 'fonts')}`),
    );
    assert.ok(!existsSync(join(data, 'fonts')), 'the check creates no folder');
    mkdirSync(join(data, 'fonts'));
    copyFileSync(font, join(data, 'fonts', basename(font)));
    const found = await check();
    assert.match(typeof found === 'object' ? found.warning : (found ?? ''), /^1 fonts/);
  },
);
