/** `platen service uninstall`: no service any more; its data goes only when that is wanted. */
import type { Words } from '../account/words.ts';
import { refuseForeign, removeData } from './data-folder.ts';
import { installedService, refuseWithoutRights } from './installation.ts';
import { whichService } from './plan.ts';

/** Resolves with the exit code. @throws Error with one sentence */
export async function uninstallService(words: Words): Promise<number> {
  const { host, plan } = await installedService(whichService(words));
  await refuseWithoutRights(host, plan);
  if (words.flags.has('purge')) await refuseForeign(plan.data);
  await host.remove(plan);
  process.stdout.write(`${plan.name} is no service any more.\n`);
  if (!words.flags.has('purge')) {
    process.stdout.write(`Its data is still in ${plan.data}; another installation finds it there.\n`);
    return 0;
  }
  const left = await removeData(plan.data);
  const what =
    left.length === 0
      ? `${plan.data} is removed`
      : `What Platen made in ${plan.data} is removed, the rest (${left.join(', ')}) is left`;
  process.stdout.write(`${what}. The user ${plan.as} stays.\n`);
  return 0;
}
