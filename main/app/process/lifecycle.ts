/** Configures Electron and Chromium before they are ready, and handles fatal errors of the process. */
import { rmSync } from 'node:fs';
import { inspect } from 'node:util';
import { app, Menu } from 'electron';
import { withoutQuotedCredentials } from '../../log/masking.ts';
import type { ServiceLog } from '../../log/service-log.ts';
import { hardenApplication } from './hardening.ts';

/**
 * Chromium's command line switches. They make output independent of the machine's display, prevent connections that would bypass
 * the network guard, and disable Chromium's own requests.
 */
const switches: readonly (readonly [name: string, value?: string])[] = [
  ['force-color-profile', 'srgb'],
  ['lang', 'en-US'],
  // The network guard decides what a local document may load; Chromium 142 and later would block private addresses before the guard
  // sees the request. UseCompositorJob: rasterising in thread pool jobs occasionally freezes a page
  // (docs/decisions/0042-raster-threads.md).
  [
    'disable-features',
    'IsolateOrigins,site-per-process,LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets,LocalNetworkAccessChecksWebTransport,BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights,UseCompositorJob',
  ],
  // Only the guard resolves names: Chromium's own queries (dns-prefetch, STUN) could leak data.
  ['host-resolver-rules', 'MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  // Out-of-process iframes are printed blank (docs/decisions/0008-one-process.md).
  ['disable-site-isolation-trials'],
  // Otherwise Chromium disables WebGL after the third crash of the GPU process and exits after the sixth.
  ['disable-gpu-process-crash-limit'],
  ['disable-quic'],
  // Otherwise a page could open file dialogs on the desktop with synthetic clicks.
  ['disable-blink-features', 'FileSystemAccessLocal'],
  // The value matches no server, so that pages never receive the Windows login of the service's user.
  ['auth-server-allowlist', '_'],
  ['disable-background-networking'],
  ['disable-component-update'],
  ['disable-domain-reliability'],
  ['no-pings'],
];

/** The switches for the setting `webgl` (docs/decisions/0049-webgl.md). */
const webglSwitches = {
  // Windows draw without a graphics card. Since Chromium 144 (Electron 40), only this switch lets SwiftShader draw WebGL on the
  // CPU.
  on: ['enable-unsafe-swiftshader'],
  // Older versions use SwiftShader without being asked.
  off: ['disable-3d-apis', 'disable-software-rasterizer'],
} as const;

/**
 * Returns whether all windows have the scale 1. Since Electron 42, the scale of an offscreen window is 1 whatever its display, so
 * that only older versions need the switch. Without it, Chromium draws the console window sharply on each display, also if it is
 * moved to a display of another scale.
 */
export function isScaleForced(electron = process.versions.electron): boolean {
  return Number(electron.split('.')[0]) < 42;
}

/** Returns the user agent without Platen and Electron. Chromium also writes the user agent into PDFs as /Creator. */
function plainUserAgent(): string {
  return app.userAgentFallback.replace(/ (platen|electron)\/\S+/gi, '');
}

/**
 * Ends the process on an uncaught error, because its state is then unknown. Electron's default, a dialog, would be invisible and
 * block.
 */
export function endOnFault(): void {
  process.on('uncaughtException', reportAndExit);
  process.on('unhandledRejection', reportAndExit);
}

/** Logs uncaught errors before `endOnFault` ends the process. */
export function logFaults(log: ServiceLog): void {
  const logFault = (problem: unknown) => {
    logFatal(problem, log);
  };
  process.prependListener('uncaughtException', logFault);
  process.prependListener('unhandledRejection', logFault);
}

/** Logs a fault that the service has detected and ends the service, as after an uncaught error. */
export function exitAfterFault(problem: Error, log: ServiceLog): void {
  logFatal(problem, log);
  reportAndExit(problem);
}

function logFatal(problem: unknown, log: ServiceLog): void {
  log.fatal({ err: problem }, 'an unexpected fault ends the service');
}

function reportAndExit(problem: unknown): void {
  process.stderr.write(
    `platen: an unexpected fault ends the service: ${withoutQuotedCredentials(inspect(problem))}\n`,
  );
  app.exit(1);
}

/** Logs warnings instead of printing them: Electron's warnings contain URLs that failed to load, possibly with credentials. */
export function logWarnings(log: ServiceLog): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    log.debug({ err: warning }, 'warning from Node or Electron');
  });
}

/**
 * Configures Electron and Chromium. `profile` is the folder for Chromium's files; it is emptied because a crash may leave
 * incomplete files.
 */
export function prepareChromium(profile: string, { webgl }: { readonly webgl: boolean }): void {
  removeFolder(profile);
  app.userAgentFallback = plainUserAgent();
  app.setPath('userData', profile);
  app.setPath('sessionData', profile);
  app.disableHardwareAcceleration();
  // No window has a menu. On macOS, Electron's default menu has the commands to copy and paste.
  if (process.platform !== 'darwin') Menu.setApplicationMenu(null);
  if (isScaleForced()) app.commandLine.appendSwitch('force-device-scale-factor', '1');
  for (const [name, value] of switches) app.commandLine.appendSwitch(name, value);
  for (const name of webglSwitches[webgl ? 'on' : 'off']) app.commandLine.appendSwitch(name);
  hardenApplication();
  // The spell checker downloads dictionaries for each session, regardless of window options.
  app.on('session-created', (session) => {
    session.setSpellCheckerEnabled(false);
    session.setSpellCheckerLanguages([]);
  });
  // Closing the last window must not end the service.
  app.on('window-all-closed', () => {});
  app.on('select-client-certificate', (event, _contents, _url, _list, choose) => {
    event.preventDefault();
    choose();
  });
}

/** Deletes the folder. Ignores files that another process still has open (Windows). */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Chromium can use the remaining files.
  }
}

/** The oldest major version of Electron that still got security fixes when this version of Platen was released. */
const oldestSupported = 43;

/** Logs the runtime versions. Warns if Electron is outdated or the service runs as root. */
export function warnAboutRuntime(log: ServiceLog): void {
  const { electron, chrome } = process.versions;
  log.info({ electron, chromium: chrome }, 'runtime');
  if (Number(electron.split('.')[0]) < oldestSupported) {
    log.warn(
      `Electron ${electron} no longer gets security fixes; install ${oldestSupported} or newer before converting untrusted pages`,
    );
  }
  if (process.getuid?.() === 0) {
    log.warn("running as root, so Chromium's sandbox is off; run the service as an unprivileged user");
  }
}
