/** What must be said to Electron and Chromium before they are ready, and what faults do. */
import { rmSync } from 'node:fs';
import { inspect } from 'node:util';
import { app } from 'electron';
import { withoutQuotedCredentials } from '../log/masking.ts';
import type { ServiceLog } from '../log/service-log.ts';
import { hardenApplication } from './hardening.ts';

/**
 * Chromium's switches. Each has a reason:
 * pictures and paper must not depend on the machine's display, pages must not reach what the guard cannot see, and
 * nothing calls home.
 */
const switches: readonly (readonly [name: string, value?: string])[] = [
  ['force-device-scale-factor', '1'],
  ['force-color-profile', 'srgb'],
  ['lang', 'en-US'],
  // The network guard decides what a local document may load; Chromium 142 and later would refuse first. Drawn as jobs of the
  // thread pool, a page stands still for ever once in a while (docs/decisions/0042-drawing-threads.md).
  [
    'disable-features',
    'IsolateOrigins,site-per-process,LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights,UseCompositorJob',
  ],
  // Names are the guard's to resolve: Chromium's own questions (dns-prefetch, STUN) could carry data out.
  ['host-resolver-rules', 'MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  // Frames of other sites in a process of their own come out empty in print (docs/decisions/0008-one-process.md).
  ['disable-site-isolation-trials'],
  // At the third crash of the graphics process Chromium would do without WebGL, and at the sixth end the whole service.
  ['disable-gpu-process-crash-limit'],
  ['disable-quic'],
  // With a click of its own making a page would open a dialog of the desktop for each.
  ['disable-blink-features', 'FileSystemAccessLocal'],
  // An empty list: a page never gets the Windows login of the account the service runs as.
  ['auth-server-allowlist', '_'],
  ['disable-background-networking'],
  ['disable-component-update'],
  ['disable-domain-reliability'],
  ['no-pings'],
];

/** Without the names of this program and of Electron: it stands in documents too, as their creator. */
function plainUserAgent(): string {
  return app.userAgentFallback.replace(/ (platen|electron)\/\S+/gi, '');
}

/** A fault nobody caught leaves an unknown state; Electron would show a dialog nobody sees and hang. */
export function endOnFault(): void {
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}

/** From here on a fault that ends the service is in its log too, which is written at once. */
export function logFaults(log: ServiceLog): void {
  const tell = (problem: unknown) => {
    tellFault(problem, log);
  };
  process.prependListener('uncaughtException', tell);
  process.prependListener('unhandledRejection', tell);
}

/** Ends the service for a fault that was found, as for one that nobody caught. */
export function endForFault(problem: Error, log: ServiceLog): void {
  tellFault(problem, log);
  end(problem);
}

function tellFault(problem: unknown, log: ServiceLog): void {
  log.fatal({ err: problem }, 'an unexpected fault ends the service');
}

function end(problem: unknown): void {
  process.stderr.write(
    `platen: an unexpected fault ends the service: ${withoutQuotedCredentials(inspect(problem))}\n`,
  );
  app.exit(1);
}

/** Node would print them; Electron's name addresses that could not be loaded, which may hold credentials. */
export function logWarnings(log: ServiceLog): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    log.debug({ err: warning }, 'a warning of Node or Electron');
  });
}

/** `profile` is the folder for what Chromium insists on writing. Each start has a new one: a crash leaves half of one. */
export function prepareChromium(profile: string): void {
  remove(profile);
  app.userAgentFallback = plainUserAgent();
  app.setPath('userData', profile);
  app.setPath('sessionData', profile);
  app.disableHardwareAcceleration();
  for (const [name, value] of switches) app.commandLine.appendSwitch(name, value);
  hardenApplication();
  // The spell checker fetches dictionaries from a vendor's host for each session, whatever windows ask for.
  app.on('session-created', (session) => {
    session.setSpellCheckerEnabled(false);
    session.setSpellCheckerLanguages([]);
  });
  // Without windows on a screen there is nothing whose closing should end the service.
  app.on('window-all-closed', () => {});
  app.on('select-client-certificate', (event, _contents, _url, _list, choose) => {
    event.preventDefault();
    choose();
  });
}

/** What another process still holds open (Windows) is in the way of nobody. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Chromium takes what is there.
  }
}
