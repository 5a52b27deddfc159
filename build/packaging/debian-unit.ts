/** Generates the systemd unit of the Debian package: the unit that 'platen service install' would write, but not enabled. */
import type { ServicePlan } from '../../main/cli/service/plan.ts';
import { systemdUnit } from '../../main/cli/service/systemd.ts';

/** The user is the one that debian/postinst creates, the paths are those of debian.mjs. */
const plan: ServicePlan = {
  name: 'platen',
  scope: 'system',
  data: '/var/lib/platen',
  as: 'platen',
  writable: [],
  program: ['/opt/platen/platen'],
  readPaths: ['/opt/platen'],
  hasPrivilegedPort: false,
};

export function debianUnit(): string {
  return systemdUnit(
    plan,
    "Comes with the package, and is not enabled: systemctl enable --now platen. A unit of 'platen service install' in /etc takes precedence.",
  );
}
