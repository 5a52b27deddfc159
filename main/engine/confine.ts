/** What no page may do to its window, beside what nothing may (app/hardening.ts): close it, go elsewhere late, ask questions. */
import type { BrowserWindow } from 'electron';
import type { Seat } from './seat.ts';

/** `isFrozen` tells whether the page may go elsewhere no more. */
export function confine(window: BrowserWindow, seat: Seat, isFrozen: () => boolean): void {
  const { webContents: contents } = window;
  // Pages that print and then close themselves are common; destroy() still works.
  window.on('close', (event) => {
    event.preventDefault();
  });
  // Or a page could send UDP past the network guard; the switch of the same name has no effect in Electron.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.on('will-frame-navigate', (event) => {
    if (isFrozen() && event.isMainFrame) event.preventDefault();
  });
  contents.on('will-prevent-unload', (event) => {
    // "Leave this page?": yes.
    event.preventDefault();
  });
  contents.on('login', (event, { url }, challenge, answer) => {
    event.preventDefault();
    const credentials = seat.requests.answerTo({ url, ...challenge });
    if (credentials === undefined) answer();
    else answer(credentials.username, credentials.password);
  });
  // Not by a verify procedure of the session: Chromium keeps its verdicts for half an hour, beyond the job.
  contents.on('certificate-error', (event, _url, _error, { fingerprint }, answer) => {
    event.preventDefault();
    answer(seat.requests.takesAnyCertificate() || seat.guard.isOwnCertificate(fingerprint));
  });
  contents.on('select-bluetooth-device', (event, _devices, choose) => {
    event.preventDefault();
    choose('');
  });
}
