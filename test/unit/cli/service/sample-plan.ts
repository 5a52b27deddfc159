/** Builds an installation plan for tests. */
import type { ServicePlan } from '../../../../main/cli/service/plan.ts';

export function samplePlan(changes: Partial<ServicePlan> = {}): ServicePlan {
  return {
    name: 'platen',
    scope: 'system',
    data: '/var/lib/platen',
    as: 'platen',
    writable: [],
    program: [process.execPath, '/opt/platen/platen.cjs'],
    readPaths: ['/opt/platen'],
    hasPrivilegedPort: false,
    ...changes,
  };
}

/** Folder names with characters that need quoting. */
export const namesThatNeedQuoting = [
  'a b',
  '50%h',
  '$HOME',
  'q"uote',
  "it's",
  'back\\slash',
  'a--b',
  'ü & <b>',
  ';x',
];
