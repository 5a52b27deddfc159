/** Whether Chromium's sandbox, which is made of user namespaces, can be had. */
import { readFileSync } from 'node:fs';
import type { ConfigCheck } from '../check-of.ts';

/** Kernel settings that forbid them to ordinary users, by value. */
const forbidding = [
  ['kernel/unprivileged_userns_clone', '0', 'sysctl -w kernel.unprivileged_userns_clone=1'],
  ['user/max_user_namespaces', '0', 'sysctl -w user.max_user_namespaces=15000'],
] as const;

/** Ubuntu 23.10 and later: only programs with a profile of their own. */
const apparmor = 'kernel/apparmor_restrict_unprivileged_userns';

export const sandbox: ConfigCheck = {
  name: 'sandbox',
  run() {
    if (process.platform !== 'linux') return undefined;
    if (process.getuid?.() === 0)
      return { warning: 'As root Chromium has no sandbox; run the service as a user of its own.' };
    const forbidden = forbidding.find(([name, value]) => kernelSetting(name) === value);
    if (forbidden !== undefined)
      throw new Error(
        `This machine forbids user namespaces to ordinary users, so Chromium has no sandbox and does not start; allow them: ${forbidden[2]} (and in /etc/sysctl.d).`,
      );
    if (kernelSetting(apparmor) !== '1') return 'User namespaces can be had.';
    return {
      warning:
        'AppArmor lets only programs with a profile have user namespaces; without one for this runtime the service does not start (docs/service.md, "Ubuntu").',
    };
  },
};

function kernelSetting(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}
