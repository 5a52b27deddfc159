/** Whether the data folder is of a format that this program knows. */
import { isInstalled } from '../../../upgrade/backup.ts';
import { needsUpgrade, refuseNewer } from '../../../upgrade/upgrade.ts';
import type { ConfigCheck } from '../check-of.ts';

export const format: ConfigCheck = {
  name: 'format',
  run({ settings: { data } }) {
    refuseNewer(data);
    if (!isInstalled(data) || !needsUpgrade(data)) return undefined;
    return {
      warning: `${data} is of an older format; the next start upgrades it, and keeps a copy in its backups.`,
    };
  },
};
