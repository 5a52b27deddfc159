import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { allowWriting, secureDataFolder } from '../../../../main/cli/service/windows-access.ts';
import type { runProgram } from '../../../../main/launch/run-program.ts';

const root = mkdtempSync(join(tmpdir(), 'platen-access-'));
after(() => {
  rmSync(root, { recursive: true });
});
const data = join(root, 'Platen');
mkdirSync(data);

const localService = 'NT AUTHORITY\\LocalService';
const administrators = owner('S-1-5-32-544', 'BUILTIN\\Administrators');
const eve = 'S-1-5-21-1-2-3-1001';
/** FILE_MODIFY and FILE_READ_AND_EXECUTE, as .NET prints them. */
const modify = 197055;
const read = 131241;

function owner(sid: string, account: string, path = data): string {
  return ['owner', sid, '0', ...[account, path].map(encodeURIComponent)].join(' ');
}

function rule(sid: string, rights: number): string {
  return ['rule', sid, String(rights), 'OFFICE%5Ceve', encodeURIComponent(data)].join(' ');
}

/** Runs no program, and answers PowerShell with the lines of each call in turn; the last answer is repeated. */
function fakeWindows(...answers: readonly (readonly string[])[]) {
  const commands: (readonly string[])[] = [];
  const environments: NodeJS.ProcessEnv[] = [];
  let asked = 0;
  const run: typeof runProgram = ([program = '', ...words], options) => {
    commands.push([program, ...words]);
    if (!program.endsWith('powershell.exe')) return Promise.resolve({ code: 0, out: '', err: '' });
    environments.push(options?.environment ?? {});
    const lines = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    return Promise.resolve({ code: 0, out: `${lines.join('\r\n')}\r\n`, err: '' });
  };
  const icacls = () => commands.filter(([program]) => program?.endsWith('icacls.exe')).map(([, , ...w]) => w);
  return { run, commands, environments, icacls };
}

const restricting = [
  '/inheritance:r',
  '/grant:r',
  '*S-1-5-19:(OI)(CI)M',
  '*S-1-5-32-544:(OI)(CI)F',
  '*S-1-5-18:(OI)(CI)F',
];

describe('the data folder of a system service on Windows', () => {
  test('belongs to Administrators and inherits no rights if this installation creates it', async () => {
    const windows = fakeWindows([administrators, rule('S-1-5-19', modify)]);
    await secureDataFolder({ as: localService, data }, { isNew: true, run: windows.run });
    assert.deepEqual(windows.icacls(), [['/setowner', '*S-1-5-32-544'], restricting]);
  });

  test('is refused unchanged if another user created it before', async () => {
    const windows = fakeWindows([owner(eve, 'OFFICE\\eve')]);
    await assert.rejects(
      secureDataFolder({ as: localService, data }, { isNew: false, run: windows.run }),
      (problem: Error) => {
        assert.ok(problem.message.startsWith(`${data} belongs to OFFICE\\eve`), problem.message);
        assert.match(problem.message, /icacls .*\/setowner \*S-1-5-32-544 \/T/);
        return true;
      },
    );
    assert.deepEqual(windows.icacls(), []);
  });

  test('is refused if another user kept the right to write, and accepted with the right to read', async () => {
    for (const rights of [modify, 0x40000, 0x10000000, -1]) {
      const windows = fakeWindows([administrators, rule(eve, rights)]);
      await assert.rejects(
        secureDataFolder({ as: localService, data }, { isNew: false, run: windows.run }),
        /can be changed by OFFICE\\eve/,
        String(rights),
      );
    }
    const windows = fakeWindows([administrators, rule(eve, read)]);
    await secureDataFolder({ as: localService, data }, { isNew: false, run: windows.run });
    assert.deepEqual(windows.icacls(), [restricting]);
  });

  test('is refused if another user placed a file in it before its rights were restricted', async () => {
    const planted = join(data, 'config ü.json');
    const windows = fakeWindows([administrators, owner(eve, 'OFFICE\\eve', planted)]);
    await assert.rejects(
      secureDataFolder({ as: localService, data }, { isNew: true, run: windows.run }),
      (problem: Error) => problem.message.startsWith(`${planted} belongs to OFFICE\\eve`),
    );
  });

  test('may belong to the account of the service, whose SID Windows looks up', async () => {
    const accountSid = 'S-1-5-21-1-2-3-1002';
    const answer = [`account ${accountSid} 0 OFFICE%5Cpdf `, owner(accountSid, 'OFFICE\\pdf')];
    const windows = fakeWindows(answer);
    await secureDataFolder({ as: 'OFFICE\\pdf', data }, { isNew: false, run: windows.run });
    const [first] = windows.environments;
    assert.deepEqual([first?.PLATEN_SERVICE_ACCOUNT, first?.PLATEN_DATA_FOLDER], ['OFFICE\\pdf', data]);
    assert.ok(windows.icacls()[0]?.includes('OFFICE\\pdf:(OI)(CI)M'));
  });

  test('is refused if Windows does not name its owner', async () => {
    await assert.rejects(
      secureDataFolder({ as: localService, data }, { isNew: false, run: fakeWindows([]).run }),
      /the owner of .* is not known/,
    );
  });

  const wine = process.env.WINEPREFIX !== undefined && 'Wine creates no links';
  test('is refused if it is a link, which could be pointed to another folder', { skip: wine }, async () => {
    const link = join(root, 'link');
    symlinkSync(data, link, 'junction');
    const windows = fakeWindows([administrators]);
    await assert.rejects(
      secureDataFolder({ as: localService, data: link }, { isNew: false, run: windows.run }),
      /is a link/,
    );
    assert.deepEqual(windows.commands, []);
  });

  test('is secured only by programs in System32, named by their full paths', async () => {
    const windows = fakeWindows([administrators]);
    await secureDataFolder({ as: localService, data }, { isNew: false, run: windows.run });
    const programs = new Set(windows.commands.map(([program]) => program));
    assert.equal(programs.size, 2);
    for (const program of programs) assert.match(program ?? '', /^[A-Z]:\\Windows\\System32\\/i);
  });
});

describe('a folder in --writable on Windows', () => {
  test('can be changed by the account of the service, and keeps its other rights', async () => {
    for (const [as, account] of [
      [localService, '*S-1-5-19'],
      ['OFFICE\\pdf', 'OFFICE\\pdf'],
    ] as const) {
      const windows = fakeWindows();
      await allowWriting({ as }, 'D:\\hot', windows.run);
      const [[program = '', ...words] = []] = windows.commands;
      assert.match(program, /icacls\.exe$/);
      assert.deepEqual(words, ['D:\\hot', '/grant', `${account}:(OI)(CI)M`]);
    }
  });

  test('is refused if it is on another machine', async () => {
    const windows = fakeWindows();
    await assert.rejects(
      allowWriting({ as: localService }, '\\\\files\\hot', windows.run),
      /is on another machine/,
    );
    assert.deepEqual(windows.commands, []);
  });
});
