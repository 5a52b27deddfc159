/**
 * Owns what holds for every session and every window content of the application, whoever made it: nothing is granted,
 * nothing opens, and what has no guard of its own reaches no network. What a job's window may do is the engine's.
 */
import { app, session as sessions, type Session, type WebContents } from 'electron';
import { isConsoleAddress } from './console-scheme.ts';

/** The schemes a page may lead to; any other would be handed to the operating system, or read a file. */
const navigable = /^(https?|platen|data|blob|about):/;

/** Doors into a running process, open only to developers. */
const debuggers = ['remote-debugging-port', 'remote-debugging-pipe', 'remote-debugging-address'];

/** Where a session gets to that was given no way out: a port of this machine where nobody listens. */
const nowhere = { proxyRules: 'http://127.0.0.1:9', proxyBypassRules: '<-loopback>' };

/** To be called before Electron is ready. */
export function hardenApplication(): void {
  if (app.isPackaged) for (const name of debuggers) app.commandLine.removeSwitch(name);
  app.on('session-created', grantNothing);
  app.on('web-contents-created', (_event, contents) => {
    openNothing(contents);
  });
  // Certificates that are not valid and requests for a password: without an answer Electron refuses them, and an answer
  // given here would come before that of a job's window.
}

/** Electron's default is to grant. */
function grantNothing(session: Session): void {
  // The engine gives each of its own a guard, later than this.
  void session.setProxy(nowhere);
  session.setPermissionRequestHandler((_contents, _permission, answer) => {
    answer(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setUSBProtectedClassesHandler(({ protectedClasses }) => protectedClasses);
  session.setBluetoothPairingHandler((_details, answer) => {
    answer({ confirmed: false });
  });
  session.on('select-usb-device', (event, _details, choose) => {
    event.preventDefault();
    choose();
  });
  session.on('select-hid-device', (event, _details, choose) => {
    event.preventDefault();
    choose();
  });
  session.on('select-serial-port', (event, _ports, _contents, choose) => {
    event.preventDefault();
    choose('');
  });
  session.on('file-system-access-restricted', (event, _details, answer) => {
    event.preventDefault();
    answer('deny');
  });
  session.on('will-download', (event) => {
    event.preventDefault();
  });
}

function openNothing(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
  });
  // Jobs have sessions of their own: what runs in the default one is no page, and goes nowhere. The console stays where it is,
  // and nobody else comes there: no other session knows its scheme.
  const mayGoTo = (url: string) => {
    if (isConsoleAddress(contents.getURL())) return isConsoleAddress(url);
    return contents.session !== sessions.defaultSession && navigable.test(url);
  };
  contents.on('will-frame-navigate', (event) => {
    if (!mayGoTo(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!mayGoTo(event.url)) event.preventDefault();
  });
}
