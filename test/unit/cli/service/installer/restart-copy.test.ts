import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restartArguments } from '../../../../../main/cli/service/installer/restart-copy.ts';
import { electronAccepts } from '../../../../support/windows/electron-arguments.ts';

test('a copy starts again on Windows with its flags, also if one of them is a URL', () => {
  const parameters = 'serve --base-url https://pdf.example --port 9';
  const line = restartArguments({ user: 'OFFICE\\ann', parameters, data: 'D:\\my data\\' });
  assert.match(line, /^-- serve --base-url https:\/\/pdf\.example --port 9 --data "D:\\my data\\\\"$/);
  assert.equal(electronAccepts(line.split(' ')), true);
  assert.equal(electronAccepts(parameters.split(' ')), false, 'Electron refuses the flags without --');
});
