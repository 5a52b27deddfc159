/** Owns the unit in the Debian package: the one 'platen service install' would write there, not enabled. */
import type { ServicePlan } from '../../main/cli/service/plan.ts';
import { systemdUnit } from '../../main/cli/service/systemd.ts';

/** As debian/postinst makes its user, and debian.mjs lays it out. */
const plan: ServicePlan = {
  name: 'platen',
  scope: 'system',
  data: '/var/lib/platen',
  as: 'platen',
  writable: [],
  program: ['/opt/platen/platen'],
  reads: ['/opt/platen'],
  lowPort: false,
};

export function debianUnit(): string {
  return systemdUnit(
    plan,
    "Comes with the package, and is not enabled: systemctl enable --now platen. A unit of 'platen service install' in /etc takes precedence.",
  );
}
