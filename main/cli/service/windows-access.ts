/**
 * Accounts and access rights on Windows. The data folder of a system service is in %ProgramData%, where every user may create
 * folders. The owner of a folder can always change its files, and with them the settings of the service.
 */
import { lstatSync } from 'node:fs';
import { runProgram, windowsTool } from '../../launch/run-program.ts';
import { runOrThrow, runPowerShell } from './command.ts';
import type { StoredPlan } from './plan.ts';

export const systemSid = 'S-1-5-18';
const administratorsSid = 'S-1-5-32-544';

/** The well-known SIDs of Windows' built-in service accounts, which have no password. */
const wellKnownSids: Readonly<Record<string, string>> = {
  localservice: 'S-1-5-19',
  networkservice: 'S-1-5-20',
  system: systemSid,
};

/** Returns the SID of a built-in service account; undefined for any other account. */
export function wellKnownSid(as: string): string | undefined {
  const name = as
    .toLowerCase()
    .replace(/^nt authority\\/, '')
    .replaceAll(' ', '');
  return wellKnownSids[name];
}

interface SecuringOptions {
  /** Whether this command has just created the folder. */
  readonly isNew: boolean;
  readonly run?: typeof runProgram;
}

/**
 * Restricts access to the data folder to the service's account, administrators and the system, and removes the rights that the
 * folder inherits.
 * @throws Error with a one-sentence message if other accounts own the folder or a file in it, or may write to it
 */
export async function secureDataFolder(
  { as, data }: Pick<StoredPlan, 'as' | 'data'>,
  { isNew, run = runProgram }: SecuringOptions,
): Promise<void> {
  // A junction could lead to any folder, and Windows reports the rights of that folder.
  if (lstatSync(data).isSymbolicLink())
    throw new Error(
      `${data} is a link, whose owner could point it to another folder; delete it, or name the folder itself with --data.`,
    );
  const icacls = windowsTool('icacls');
  if (isNew) await runOrThrow([icacls, data, '/setowner', `*${administratorsSid}`], { run });
  else await assertTrusted({ as, data }, run);
  const rights = [modifyRight(as), `*${administratorsSid}:(OI)(CI)F`, `*${systemSid}:(OI)(CI)F`];
  await runOrThrow([icacls, data, '/inheritance:r', '/grant:r', ...rights], { run });
  // Until now, other users could create files in the folder.
  await assertTrusted({ as, data }, run);
}

/**
 * Lets the service's account change the folder and everything in it. @throws Error with a one-sentence message for a folder of another
 * machine, whose accounts have other SIDs, or if this user may not change the rights
 */
export async function allowWriting(
  { as }: Pick<StoredPlan, 'as'>,
  folder: string,
  run = runProgram,
): Promise<void> {
  if (folder.startsWith('\\\\'))
    throw new Error(
      `--writable: ${folder} is on another machine, where this command cannot grant rights; grant them there, and leave the folder out.`,
    );
  await runOrThrow([windowsTool('icacls'), folder, '/grant', modifyRight(as)], { run });
}

/** Returns the argument of icacls that lets an account change a folder, its files and its subfolders. */
function modifyRight(as: string): string {
  const sid = wellKnownSid(as);
  return `${sid === undefined ? as : `*${sid}`}:(OI)(CI)M`;
}

/** An access control entry, or the owner, of the data folder or of a file in it. */
interface AccessFact {
  readonly kind: 'owner' | 'writer';
  readonly sid: string;
  readonly account: string;
  readonly path: string;
}

async function assertTrusted(
  { as, data }: Pick<StoredPlan, 'as' | 'data'>,
  run: typeof runProgram,
): Promise<void> {
  const { accountSid, facts } = await readAccess({ as, data }, run);
  const trusted = [administratorsSid, systemSid, accountSid];
  const foreign = facts.find(({ sid }) => !trusted.includes(sid));
  if (foreign === undefined) return;
  const { kind, account, path } = foreign;
  throw new Error(
    `${path} ${kind === 'owner' ? 'belongs to' : 'can be changed by'} ${account}, who could change the service's settings; only Administrators, SYSTEM and ${as} may own and change the data folder of a system service. Check every file in it, then take it over: icacls "${data}" /setowner *${administratorsSid} /T && icacls "${data}" /reset /T. Or delete it, or name another folder with --data.`,
  );
}

/**
 * Prints lines of words separated by spaces: `owner SID 0 ACCOUNT PATH` for the folder and each entry in it, and
 * `rule SID RIGHTS ACCOUNT PATH` for each right that the folder itself grants. Account and path are percent-encoded, because the
 * output has the code page of the console. SIDs and numbers do not depend on the language of Windows, unlike the output of icacls.
 */
const accessScript = [
  `$ErrorActionPreference = 'Stop'`,
  `$sidType = [Security.Principal.SecurityIdentifier]`,
  `function Line($kind, $sid, $rights, $path) { $account = $sid.Value; try { $account = $sid.Translate([Security.Principal.NTAccount]).Value } catch {}; (@($kind, $sid.Value, $rights) + @($account, $path | ForEach-Object { [Uri]::EscapeDataString($_) })) -join ' ' }`,
  `if ($env:PLATEN_SERVICE_ACCOUNT) { Line 'account' (([Security.Principal.NTAccount]$env:PLATEN_SERVICE_ACCOUNT).Translate($sidType)) 0 '' }`,
  `$folder = Get-Item -Force -LiteralPath $env:PLATEN_DATA_FOLDER`,
  `foreach ($item in @($folder) + @(Get-ChildItem -Force -LiteralPath $env:PLATEN_DATA_FOLDER)) { Line 'owner' ($item.GetAccessControl().GetOwner($sidType)) 0 $item.FullName }`,
  `foreach ($rule in $folder.GetAccessControl().GetAccessRules($true, $false, $sidType)) { if ($rule.AccessControlType -eq 'Allow') { Line 'rule' $rule.IdentityReference ([int]$rule.FileSystemRights) $folder.FullName } }`,
].join('; ');

/**
 * FILE_WRITE_DATA, FILE_APPEND_DATA, FILE_WRITE_EA, FILE_DELETE_CHILD, FILE_WRITE_ATTRIBUTES, DELETE, WRITE_DAC, WRITE_OWNER,
 * GENERIC_ALL and GENERIC_WRITE (winnt.h).
 */
const writeRights = 0x2 | 0x4 | 0x10 | 0x40 | 0x100 | 0x10000 | 0x40000 | 0x80000 | 0x10000000 | 0x40000000;

interface FolderAccess {
  readonly accountSid: string;
  readonly facts: readonly AccessFact[];
}

async function readAccess(
  { as, data }: Pick<StoredPlan, 'as' | 'data'>,
  run: typeof runProgram,
): Promise<FolderAccess> {
  const knownSid = wellKnownSid(as);
  const variables = { PLATEN_DATA_FOLDER: data, PLATEN_SERVICE_ACCOUNT: knownSid === undefined ? as : '' };
  const out = await runPowerShell(accessScript, { variables, run });
  const lines = out
    .trim()
    .split(/\r?\n/)
    .map((line) => {
      const [kind, sid = '', rights = '', account = '', path = ''] = line.split(' ');
      const text = { account: decodeURIComponent(account), path: decodeURIComponent(path) };
      return { kind, sid, rights: Number(rights), ...text };
    });
  const owners = lines.filter(({ kind }) => kind === 'owner');
  const writers = lines.filter(({ kind, rights }) => kind === 'rule' && (rights & writeRights) !== 0);
  // Without its owner, nothing is known about the folder.
  if (owners.length === 0) throw new Error(`the owner of ${data} is not known, so it is not used.`);
  return {
    accountSid: knownSid ?? lines.find(({ kind }) => kind === 'account')?.sid ?? '',
    facts: [
      ...owners.map(({ sid, account, path }) => ({ kind: 'owner' as const, sid, account, path })),
      ...writers.map(({ sid, account, path }) => ({ kind: 'writer' as const, sid, account, path })),
    ],
  };
}
