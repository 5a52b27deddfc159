/** Generates the systemd unit in the Debian package, with the code of 'platen service install'. */
import type { ServicePlan } from '../../main/cli/service/plan.ts';
import { systemdUnit } from '../../main/cli/service/systemd.ts';

/** debian/postinst creates the user; debian.mjs installs the files at these paths. */
const plan: ServicePlan = {
  name: 'platen',
  scope: 'system',
  data: '/var/lib/platen',
  as: 'platen',
  writable: [],
  program: ['/opt/platen/platen'],
  readPaths: ['/opt/platen'],
  hasPrivilegedPort: false,
  // The address of the default settings.
  url: 'http://127.0.0.1:8730',
};

export function debianUnit(): string {
  return systemdUnit(
    plan,
    "Part of the Debian package, not enabled by default: systemctl enable --now platen. A unit of 'platen service install' in /etc takes precedence.",
  );
}
