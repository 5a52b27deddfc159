/**
 * Restricts every session and all web contents of the application: no permissions, no new windows, and no network access except
 * through the network guard. The engine adds restrictions for the windows of jobs.
 */
import { app, session as sessions, type Session, type WebContents } from 'electron';
import { isConsoleAddress } from '../console-window/console-scheme.ts';

/** The URL schemes a page may navigate to. Other schemes could read a local file or open another application. */
const navigable = /^(https?|platen|data|blob|about):/;

/** Remote debugging switches, which are removed in packaged builds. */
const debuggerSwitches = ['remote-debugging-port', 'remote-debugging-pipe', 'remote-debugging-address'];

/** The proxy of sessions without the network guard: a local port on which nothing listens. */
const deadProxy = { proxyRules: 'http://127.0.0.1:9', proxyBypassRules: '<-loopback>' };

/** Restricts the application. Call this before Electron is ready. */
export function hardenApplication(): void {
  if (app.isPackaged) for (const name of debuggerSwitches) app.commandLine.removeSwitch(name);
  app.on('session-created', denyPermissions);
  app.on('web-contents-created', (_event, contents) => {
    restrictNavigation(contents);
  });
  // Invalid certificates and password requests are not handled here: Electron refuses them by default, and a handler here would run
  // before the handler of a job's window.
}

/** Denies network access, downloads and all permissions. Electron grants permissions by default. */
function denyPermissions(session: Session): void {
  // The engine later sets the network guard as the proxy of its own sessions.
  void session.setProxy(deadProxy);
  session.setPermissionRequestHandler((_contents, _permission, callback) => {
    callback(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setUSBProtectedClassesHandler(({ protectedClasses }) => protectedClasses);
  session.setBluetoothPairingHandler((_details, answer) => {
    answer({ confirmed: false });
  });
  session.on('select-usb-device', (event, _details, callback) => {
    event.preventDefault();
    callback();
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

function restrictNavigation(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
  });
  // The default session needs no navigation, because jobs have their own sessions. Pages of the console may navigate only within
  // the console, and no other session serves the console's scheme.
  const mayNavigateTo = (url: string) => {
    if (isConsoleAddress(contents.getURL())) return isConsoleAddress(url);
    return contents.session !== sessions.defaultSession && navigable.test(url);
  };
  contents.on('will-frame-navigate', (event) => {
    if (!mayNavigateTo(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!mayNavigateTo(event.url)) event.preventDefault();
  });
}
