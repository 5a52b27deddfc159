/**
 * The task of a service for Windows' Task Scheduler: its schema, version 1.2, also in [MS-TSCH] 2.5. Pure.
 * A trigger's own elements follow those every trigger has, and Command, Arguments and WorkingDirectory stand in this order; all
 * else may stand in any.
 */
import { escapedForXml } from '../../launch/property-list.ts';
import { quotedForWindows } from '../../launch/windows-words.ts';
import { noteOf } from './plan-note.ts';
import type { KeptPlan, ServicePlan } from './plan.ts';

/** Accounts of Windows that have no password, by their well-known identifiers. */
const wellKnown: Readonly<Record<string, string>> = {
  localservice: 'S-1-5-19',
  networkservice: 'S-1-5-20',
  system: 'S-1-5-18',
};

/** To be written as UTF-16, which schtasks reads everywhere. */
export function taskXml(plan: ServicePlan): string {
  const [program, ...words]: readonly string[] = [...plan.program, 'serve', '--data', plan.data];
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Platen, web pages into PDF documents and images</Description>
    <Documentation>${noteOf(plan)}</Documentation>
  </RegistrationInfo>
  <Triggers>
    ${trigger(plan)}
  </Triggers>
  <Principals>
    <Principal id="Author">
      ${principal(plan)}
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
${settings.map(([name, value]) => `    <${name}>${value}</${name}>`).join('\n')}
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escapedForXml(program ?? '')}</Command>
      <Arguments>${escapedForXml(words.map(quotedForWindows).join(' '))}</Arguments>
      <WorkingDirectory>${escapedForXml(plan.data)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`;
}

/** The identifier of an account that has no password; undefined for any other. */
export function wellKnownAccount(as: string): string | undefined {
  const name = as
    .toLowerCase()
    .replace(/^nt authority\\/, '')
    .replaceAll(' ', '');
  return wellKnown[name];
}

function trigger({ scope, as }: KeptPlan): string {
  if (scope === 'system') return '<BootTrigger><Enabled>true</Enabled></BootTrigger>';
  return `<LogonTrigger><Enabled>true</Enabled><UserId>${escapedForXml(as)}</UserId></LogonTrigger>`;
}

/** S4U: as that user without his password being kept; network shares do not know him then. */
function principal({ scope, as }: KeptPlan): string {
  const known = wellKnownAccount(as);
  if (known !== undefined) return `<UserId>${known}</UserId>`;
  const logon = scope === 'system' ? 'S4U' : 'InteractiveToken';
  return `<UserId>${escapedForXml(as)}</UserId>\n      <LogonType>${logon}</LogonType>`;
}

const settings: readonly (readonly [name: string, value: string])[] = [
  ['MultipleInstancesPolicy', 'IgnoreNew'],
  ['DisallowStartIfOnBatteries', 'false'],
  ['StopIfGoingOnBatteries', 'false'],
  ['AllowHardTerminate', 'true'],
  ['StartWhenAvailable', 'true'],
  ['RunOnlyIfNetworkAvailable', 'false'],
  ['AllowStartOnDemand', 'true'],
  ['Enabled', 'true'],
  ['Hidden', 'false'],
  ['RunOnlyIfIdle', 'false'],
  ['WakeToRun', 'false'],
  // No limit; the usual one is three days.
  ['ExecutionTimeLimit', 'PT0S'],
  // That of ordinary programs; the usual one, 7, also slows down the disk.
  ['Priority', '5'],
  ['RestartOnFailure', '<Interval>PT1M</Interval><Count>255</Count>'],
];
