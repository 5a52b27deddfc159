import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { runPowerShell } from '../../../../main/cli/service/command.ts';
import { readTaskState } from '../../../../main/cli/service/task-scheduler.ts';
import type { ProgramResult, runProgram } from '../../../../main/launch/run-program.ts';

/** Runs no program, returns a fixed result, and keeps the command and the environment of each call. */
function fakePowerShell(result: Partial<ProgramResult>) {
  const environments: NodeJS.ProcessEnv[] = [];
  const commands: (readonly string[])[] = [];
  const run: typeof runProgram = (command, options) => {
    commands.push(command);
    environments.push(options?.environment ?? {});
    return Promise.resolve({ code: 0, out: '', err: '', ...result });
  };
  return { run, commands, environments };
}

describe('a script in Windows PowerShell', () => {
  const names = ['PSModulePath', 'PSMODULEPATH'];
  const before = names.map((name) => [name, process.env[name]] as const);
  afterEach(() => {
    for (const [name, value] of before)
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
  });

  test('does not get the module path of PowerShell 7, and gets the other variables', async () => {
    for (const name of names) process.env[name] = 'C:\\Program Files\\PowerShell\\7\\Modules';
    const { run, environments } = fakePowerShell({ out: 'done\r\n' });
    assert.equal(
      await runPowerShell('x', { variables: { PLATEN_INSTALLATION: 'C:\\Platen' }, run }),
      'done\r\n',
    );
    const [environment = {}] = environments;
    assert.deepEqual(
      Object.keys(environment).filter((name) => /^psmodulepath$/i.test(name)),
      [],
    );
    assert.equal(environment.PLATEN_INSTALLATION, 'C:\\Platen');
    assert.equal(environment.PATH ?? environment.Path, process.env.PATH);
  });
});

describe('the state of a task', () => {
  const stateOf = (result: Partial<ProgramResult>) => readTaskState('platen', fakePowerShell(result).run);

  test('is the number of the state, with the last result', async () => {
    assert.deepEqual(await stateOf({ out: '4\r\n267009\r\n' }), { number: '4', result: '267009' });
  });

  test('is read without quoting the name of the task, since PowerShell has five kinds of single quotes', async () => {
    const names = ["platen (o'neil)", 'platen (o\u2019neil)', 'platen ($x; jürgen)'];
    for (const name of names) {
      const { run, commands, environments } = fakePowerShell({ out: '3\r\n2147943785\r\n' });
      assert.deepEqual(await readTaskState(name, run), { number: '3', result: '2147943785' });
      assert.equal(environments[0]?.PLATEN_TASK, name);
      assert.ok(!commands.flat().join(' ').includes('neil'), 'the script does not contain the name');
      assert.ok(!commands.flat().join(' ').includes('jürgen'));
    }
  });

  test('is an error if PowerShell fails or prints something else, not that of a task that has ended', async () => {
    await assert.rejects(
      stateOf({ code: 1, err: 'The system cannot find the file specified.' }),
      /cannot find/,
    );
    for (const out of ['', '\r\n', '3\r\n', 'WARNING 3 0'])
      await assert.rejects(stateOf({ out }), /state of the task 'platen' cannot be read/);
  });
});
