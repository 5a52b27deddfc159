import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { planInNote } from '../../../../main/cli/service/plan.ts';
import {
  describeResult,
  findProgramObstacle,
  installTask,
  oneTimeTaskXml,
  taskFile,
  taskName,
  taskXml,
  writeTaskFile,
} from '../../../../main/cli/service/task-scheduler.ts';
import type { runProgram } from '../../../../main/launch/run-program.ts';
import { samplePlan, namesThatNeedQuoting } from './sample-plan.ts';
import { elementNamed, schemaProblems, parseTask, type XmlElement } from './task-schema.ts';

const windows = { data: 'C:\\ProgramData\\Platen', program: ['C:\\Program Files\\Platen\\platen.cmd'] };
const service = samplePlan({ ...windows, as: 'NT AUTHORITY\\LocalService' });
const ofAlice = samplePlan({ ...windows, as: 'OFFICE\\alice' });
const atLogon = samplePlan({ ...windows, scope: 'user', as: 'OFFICE\\alice' });

/**
 * Runs no program. Returns `installed` as the definition of the task, and keeps the definitions of created tasks. `refusal`: the
 * message with which it refuses every task.
 */
function fakeTaskScheduler(installed: string | undefined, refusal = '') {
  const created: string[] = [];
  const run: typeof runProgram = ([, action, ...words]) => {
    const file = words[words.indexOf('/xml') + 1] ?? '';
    if (action === '/create') created.push(readFileSync(file, 'utf16le').replace('\ufeff', ''));
    const isKnown = action === '/create' ? refusal === '' : installed !== undefined;
    return Promise.resolve({ code: isKnown ? 0 : 1, out: installed ?? '', err: refusal });
  };
  return { run, created };
}

function settingsOf(xml: string): XmlElement {
  const settings = elementNamed(parseTask(xml), 'Settings');
  assert.ok(settings);
  return settings;
}

describe('the task of a service', () => {
  test('is valid according to the schema of the Task Scheduler', () => {
    for (const plan of [service, ofAlice, atLogon])
      assert.deepEqual(schemaProblems(parseTask(taskXml(plan))), []);
  });

  test('is reported as invalid if it has unknown, repeated or reordered elements, or wrong values', () => {
    for (const [from, to] of [
      [/(<Command>.*<\/Command>)\s*(<Arguments>.*<\/Arguments>)/, '$2$1'],
      [/(<Repetition>.*<\/Repetition>)(<StartBoundary>.*<\/StartBoundary>)/, '$2$1'],
      [/<StartBoundary>.*<\/StartBoundary>/, ''],
      ['<Hidden>false</Hidden>', '<Hidden>no</Hidden>'],
      ['<Hidden>false</Hidden>', '<Hidden>false</Hidden><Hidden>false</Hidden>'],
      ['PT1M', 'PT0M'],
      ['IgnoreNew', 'Ignore'],
      ['<WakeToRun>', '<Sleep>x</Sleep><WakeToRun>'],
    ] as const)
      assert.notDeepEqual(schemaProblems(parseTask(taskXml(service).replace(from, to))), [], String(from));
  });

  test('is written in the encoding that it declares', () => {
    const bytes = taskFile(taskXml(service));
    assert.deepEqual([...bytes.subarray(0, 2)], [0xff, 0xfe], 'the byte order mark of UTF-16LE');
    const text = new TextDecoder('utf-16le', { fatal: true }).decode(bytes);
    assert.equal(/^<\?xml version="1\.0" encoding="([^"]*)"/.exec(text)?.[1], 'UTF-16');
    assert.equal(text, taskXml(service));
  });

  test('restarts within a minute after it ends, and never runs twice at the same time', () => {
    for (const plan of [service, atLogon]) {
      const task = parseTask(taskXml(plan));
      // The repetition of a boot or logon trigger would begin at the next boot or logon.
      const triggers = elementNamed(task, 'Triggers')?.children ?? [];
      const [repeating, ...others] = triggers.filter((trigger) => elementNamed(trigger, 'Repetition'));
      assert.ok(repeating);
      assert.equal(repeating.name, 'TimeTrigger');
      assert.deepEqual(others, []);
      assert.equal(elementNamed(repeating, 'Interval')?.text, 'PT1M');
      assert.equal(elementNamed(repeating, 'Duration'), undefined, 'the repetition has no end');
      assert.equal(elementNamed(repeating, 'EndBoundary'), undefined);
      const begin = elementNamed(repeating, 'StartBoundary')?.text ?? '';
      assert.ok(Date.parse(begin) < Date.now(), 'the repetition has begun');
      for (const trigger of triggers) assert.equal(elementNamed(trigger, 'Enabled')?.text, 'true');
      assert.equal(elementNamed(task, 'MultipleInstancesPolicy')?.text, 'IgnoreNew');
    }
  });

  test('is not read from a file that another user has placed in the temporary folder', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'platen-task-'));
    t.after(() => {
      rmSync(folder, { recursive: true });
    });
    const planted = join(folder, 'task.xml');
    writeFileSync(planted, 'planted');
    await assert.rejects(writeTaskFile(folder, taskXml(service)), { code: 'EEXIST' });
    assert.equal(readFileSync(planted, 'utf8'), 'planted');
    rmSync(planted);
    assert.deepEqual(readFileSync(await writeTaskFile(folder, taskXml(service))), taskFile(taskXml(service)));
  });

  test('is disabled until the first start, and stays enabled or disabled in an update', async () => {
    const enabledAfter = async (installed: string | undefined) => {
      const { run, created } = fakeTaskScheduler(installed);
      await installTask(service, run);
      const [xml = ''] = created;
      return elementNamed(settingsOf(xml), 'Enabled')?.text;
    };
    assert.equal(await enabledAfter(undefined), 'false');
    assert.equal(await enabledAfter(taskXml(service)), 'true');
    assert.equal(await enabledAfter(taskXml(service, { isEnabled: false })), 'false');
    assert.equal(elementNamed(settingsOf(taskXml(service)), 'Enabled')?.text, 'true', 'with --print');
  });

  test('of an account whose password Windows demands is refused with the accounts that need none', async () => {
    const refusal = (plan: typeof service) =>
      installTask(plan, fakeTaskScheduler(undefined, 'Zugriff verweigert').run);
    await assert.rejects(
      refusal(ofAlice),
      /Zugriff verweigert.*password of OFFICE\\alice.*LocalService.*--as/,
    );
    for (const plan of [service, atLogon])
      await assert.rejects(refusal(plan), (problem: Error) => !problem.message.includes('--as'));
  });

  test('of the machine can be read by all users, and changed by administrators and the system only', () => {
    const descriptor = elementNamed(parseTask(taskXml(service)), 'SecurityDescriptor')?.text ?? '';
    const rights = [...descriptor.matchAll(/\(A;;(\w+);;;(\w+)\)/g)].map(([, right, who]) => [who, right]);
    assert.deepEqual(Object.fromEntries(rights), { BA: 'FA', SY: 'FA', AU: 'FR' });
    // A task of a user, and one that runs once, keep the rights that Windows gives them.
    for (const xml of [taskXml(atLogon), oneTimeTaskXml(service, ['self-test'], 'C:\\out.txt')])
      assert.equal(elementNamed(parseTask(xml), 'SecurityDescriptor'), undefined);
  });

  test('contains the user name in its name if the service belongs to one user', () => {
    assert.equal(taskName({ name: 'platen', scope: 'system' }, 'alice'), 'platen');
    assert.equal(taskName({ name: 'platen', scope: 'user' }, 'alice'), 'platen (alice)');
    assert.equal(taskName({ name: 'platen', scope: 'user' }, "o'neil:x"), "platen (o'neil_x)");
  });

  test('starts at boot, as a system or ordinary user without a stored password, and has no time limit', () => {
    const task = parseTask(taskXml(service));
    assert.ok(elementNamed(task, 'BootTrigger'));
    assert.equal(elementNamed(task, 'UserId')?.text, 'S-1-5-19');
    assert.equal(elementNamed(task, 'LogonType'), undefined);
    assert.equal(elementNamed(task, 'ExecutionTimeLimit')?.text, 'PT0S');
    assert.equal(elementNamed(parseTask(taskXml(ofAlice)), 'LogonType')?.text, 'S4U');
  });

  test('of a user starts when that user logs on', () => {
    const task = parseTask(taskXml(atLogon));
    assert.equal(elementNamed(task, 'BootTrigger'), undefined);
    assert.equal(elementNamed(task, 'LogonTrigger')?.children.at(-1)?.text, 'OFFICE\\alice');
    assert.equal(elementNamed(task, 'LogonType')?.text, 'InteractiveToken');
  });

  test('of a user runs the program itself, because cmd.exe would open a window', () => {
    const program = ['C:\\Program Files\\Platen\\Platen.exe', '--', '--wait'];
    const task = parseTask(taskXml(samplePlan({ ...windows, scope: 'user', program })));
    assert.equal(elementNamed(task, 'Command')?.text, program[0]);
    assert.equal(
      elementNamed(task, 'Arguments')?.text,
      String.raw`"--" "--wait" "serve" "--data" "C:\ProgramData\Platen"`,
    );
  });

  test('accepts any characters in the command, the folders and the note', () => {
    // Windows does not allow quotes in file names.
    for (const name of namesThatNeedQuoting.filter((candidate) => !candidate.includes('"'))) {
      const plan = samplePlan({ data: `D:\\${name}\\`, program: [`C:\\${name}\\platen.cmd`] });
      const xml = taskXml(plan);
      const task = parseTask(xml);
      assert.match(elementNamed(task, 'Command')?.text ?? '', /\\System32\\cmd\.exe$/);
      assert.equal(
        elementNamed(task, 'Arguments')?.text,
        `/d /s /c ""C:\\${name}\\platen.cmd" "serve" "--data" "D:\\${name}\\\\" "--tray" "off""`,
      );
      assert.equal(planInNote(xml)?.data, plan.data);
    }
  });
});

describe('the check of a service on Windows', () => {
  test('is a task as the same user, without a trigger, whose output goes to a file', () => {
    const xml = oneTimeTaskXml(service, ['self-test', '--data', 'C:\\a b'], 'C:\\a b\\out.txt');
    const task = parseTask(xml);
    assert.deepEqual(schemaProblems(task), []);
    assert.equal(elementNamed(task, 'BootTrigger'), undefined);
    assert.equal(elementNamed(task, 'UserId')?.text, 'S-1-5-19');
    assert.match(elementNamed(task, 'Command')?.text ?? '', /\\System32\\cmd\.exe$/);
    assert.equal(
      elementNamed(task, 'Arguments')?.text,
      String.raw`/d /s /c ""C:\Program Files\Platen\platen.cmd" "self-test" "--data" "C:\a b" > "C:\a b\out.txt" 2>&1"`,
    );
  });

  test('names the right that an account needs, if Windows refuses to log it on', () => {
    assert.match(describeResult('2147943785'), /Log on as a batch job/);
    assert.equal(describeResult('1'), 'last result 1 of the task');
  });

  const obstacle = (program: string, as: string, scope: 'system' | 'user' = 'system') =>
    findProgramObstacle(samplePlan({ ...windows, scope, as, program: [program] }), 'C:\\Users\\Public');

  test('refuses a program that was installed for one user, and names the way out', () => {
    const ofAnn = 'C:\\Users\\ann\\AppData\\Local\\Programs\\Platen\\platen.cmd';
    const message = obstacle(ofAnn, 'NT AUTHORITY\\LocalService');
    assert.match(message ?? '', /profile of the user ann.*\/allusers.*--user/);
    assert.match(obstacle(ofAnn, 'OFFICE\\bert') ?? '', /bert cannot read/);
  });

  test('accepts a program that the user of the service can read', () => {
    assert.equal(obstacle('C:\\Program Files\\Platen\\platen.cmd', 'NT AUTHORITY\\LocalService'), undefined);
    assert.equal(obstacle('D:\\Platen\\platen.cmd', 'NT AUTHORITY\\LocalService'), undefined);
    assert.equal(obstacle('C:\\Users\\Public\\Platen\\platen.cmd', 'OFFICE\\bert'), undefined);
    const ofAnn = 'C:\\Users\\ann\\platen.cmd';
    assert.equal(obstacle(ofAnn, 'OFFICE\\Ann'), undefined);
    assert.equal(obstacle(ofAnn, 'NT AUTHORITY\\System'), undefined);
    assert.equal(obstacle(ofAnn, 'OFFICE\\ann', 'user'), undefined);
  });
});
