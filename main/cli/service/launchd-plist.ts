/** The property list of a service for launchd: launchd.plist(5). Pure. */
import { posix } from 'node:path';
import { propertyList } from '../../launch/property-list.ts';
import { noteOf } from './plan-note.ts';
import type { KeptPlan, ServicePlan, Which } from './plan.ts';

/** Not that of the entry which starts Platen at login (app/login-item.ts). */
export function launchdLabel({ name, scope }: Which): string {
  return `${name}.${scope === 'system' ? 'daemon' : 'agent'}`;
}

/** What it says on standard output and standard error; the log itself is a file that is kept short. */
export function saidFile({ data }: Pick<KeptPlan, 'data'>): string {
  return posix.join(data, 'service.out');
}

export function launchdPlist(plan: ServicePlan): string {
  const said = saidFile(plan);
  return propertyList(
    {
      Label: launchdLabel(plan),
      ProgramArguments: [...plan.program, 'serve', '--data', plan.data],
      ...(plan.scope === 'system' && withoutSession(plan)),
      WorkingDirectory: plan.data,
      RunAtLoad: true,
      // Crashes are the launcher's own affair; this is for when it gives up.
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 30,
      // Running jobs have 30 s.
      ExitTimeOut: 45,
      // Else launchd holds back processor and disk.
      ProcessType: 'Interactive',
      SoftResourceLimits: { NumberOfFiles: 16_384 },
      HardResourceLimits: { NumberOfFiles: 16_384 },
      Umask: 0o077,
      StandardOutPath: said,
      StandardErrorPath: said,
    },
    noteOf(plan),
  );
}

/** Nobody is logged in, so there is neither a home nor a tray. */
function withoutSession({ as, data }: ServicePlan) {
  return {
    UserName: as,
    EnvironmentVariables: { HOME: data, PATH: '/usr/bin:/bin:/usr/sbin:/sbin', PLATEN_TRAY: 'off' },
  };
}
