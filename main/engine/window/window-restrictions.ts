/**
 * Restricts what a page can do with its window, such as closing it or navigating after it is ready. Answers requests for
 * credentials and certificates. See also app/process/hardening.ts.
 */
import type { BrowserWindow } from 'electron';
import type { BrowserContext } from './browser-context.ts';

/** `isFrozen`: returns whether the main frame may not navigate. */
export function restrictWindow(
  window: BrowserWindow,
  context: BrowserContext,
  isFrozen: () => boolean,
): void {
  const { webContents: contents } = window;
  // Many pages close their window after printing. destroy() still works.
  window.on('close', (event) => {
    event.preventDefault();
  });
  // Otherwise a page could send UDP past the network guard. The command-line switch of the same name has no effect
  // in Electron.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.on('will-frame-navigate', (event) => {
    if (isFrozen() && event.isMainFrame) event.preventDefault();
  });
  contents.on('will-prevent-unload', (event) => {
    // Confirms the "Leave this page?" dialog.
    event.preventDefault();
  });
  contents.on('login', (event, { url }, challenge, answer) => {
    event.preventDefault();
    const credentials = context.requests.credentialsFor({ url, ...challenge });
    if (credentials === undefined) answer();
    else answer(credentials.username, credentials.password);
  });
  // Not session.setCertificateVerifyProc: Chromium caches its results for half an hour, longer than a job.
  contents.on('certificate-error', (event, _url, _error, { fingerprint }, answer) => {
    event.preventDefault();
    answer(context.requests.acceptsAnyCertificate() || context.guard.isOwnCertificate(fingerprint));
  });
  contents.on('select-bluetooth-device', (event, _devices, choose) => {
    event.preventDefault();
    choose('');
  });
}
