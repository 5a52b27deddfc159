/** Says which Electron runs, and warns when it is older than its supported life: pages are other people's programs. */
import type { ServiceLog } from '../log/service-log.ts';

/** The oldest major version that still got fixes when this version of Platen was made. */
const oldestSupported = 43;

export function warnAboutRuntime(log: ServiceLog): void {
  const { electron, chrome } = process.versions;
  log.info({ electron, chromium: chrome }, 'runtime');
  if (Number(electron.split('.')[0]) < oldestSupported) {
    log.warn(
      `Electron ${electron} gets no security fixes any more; install ${oldestSupported} or newer before converting pages you do not trust`,
    );
  }
  if (process.getuid?.() === 0) {
    log.warn("running as root, so Chromium's sandbox is off; run the service as an ordinary user");
  }
}
