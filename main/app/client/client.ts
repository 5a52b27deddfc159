/**
 * The program of the desktop client: a tray icon and a window for a service that another process runs
 * (docs/decisions/0050-desktop-client.md).
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { app, nativeTheme, protocol, session as sessions, shell, type Session } from 'electron';
import { dataFolderPid } from '../../launch/data-folder-lock.ts';
import {
  clientKeyPurpose,
  clientVariable,
  commandVariable,
  type ClientMessage,
  type ClientTarget,
  type ClientCredentials,
} from '../../launch/messages.ts';
import { systemScale } from '../console-window/system-scale.ts';
import { openLoginEntry, type LoginEntry } from '../native-bridge/login-item.ts';
import { clientMenu, type ClientMenuView, type TrayAction } from '../tray/tray-menu.ts';
import { clientTextsFor, textsFor, type ClientTexts } from '../tray/texts.ts';
import { copyText, hasTrayArea, openTray, readyView } from '../tray/tray.ts';
import { ClientWindow, clientScheme, type ClientView } from './client-window.ts';
import { DesktopConnection, type ServiceReply } from './connection.ts';
import { notRunningPage, signInPage } from './pages.ts';

const target = JSON.parse(process.env[clientVariable] ?? '') as ClientTarget;

const pollIntervalMs = 1000;

/** Asks the launcher for credentials. Resolves with undefined if the user has to enter them. */
function requestCredentials(): Promise<ClientCredentials | undefined> {
  return new Promise((resolve) => {
    process.once('message', (message: ClientMessage) => {
      if (typeof message === 'object') resolve(message.signIn ?? undefined);
    });
    process.once('disconnect', () => {
      resolve(undefined);
    });
    if (process.send === undefined) resolve(undefined);
    else process.send('credentials' satisfies ClientMessage, undefined, undefined, () => {});
  });
}

async function run(): Promise<void> {
  const credentials = await requestCredentials();
  const languages = app.getPreferredSystemLanguages();
  const texts = textsFor(languages);
  const clientTexts = clientTextsFor(languages);
  const session = openSession();
  const connection = new DesktopConnection(session, target, credentials);
  const window = new ClientWindow(session, () => connection.url);
  const login = openLoginEntry({
    command: process.env[commandVariable],
    platform: process.platform,
    electronLoginItems: app,
  });
  servePages({ session, connection, texts: clientTexts, onSignIn: () => refresh() });

  const hasLogs = target.logsFolder !== undefined;
  const tray = openTray<ClientMenuView>(
    {
      menu: (view) => clientMenu(view, { texts, clientTexts, hasLogs }),
      actions: clientActions({ connection, window, login, refresh: () => refresh() }),
      scale: await systemScale(),
    },
    { ...readyView, mayStop: false },
  );
  let hasEnded = false;
  const refresh = async () => {
    const reply = await connection.readState();
    if (hasEnded) return;
    window.setView(viewOf(reply));
    const { on, possible } = login.read();
    tray.show({
      ...trayView(reply, clientTexts),
      startsAtLogin: possible ? on : undefined,
      mayStop: canSignal(dataFolderPid(target.data)),
    });
  };
  await refresh();
  window.show();
  if (!(await hasTrayArea())) app.on('window-all-closed', leave);
  const timer = setInterval(() => void refresh(), pollIntervalMs);
  const show = () => {
    window.show();
  };
  app.on('second-instance', show);
  app.on('activate', show);
  app.once('will-quit', (event) => {
    hasEnded = true;
    clearInterval(timer);
    tray[Symbol.dispose]();
    if (credentials === undefined) return;
    // The key must not remain valid without its client.
    event.preventDefault();
    void connection.revokeKey(clientKeyPurpose).finally(() => {
      app.exit(0);
    });
  });
}

interface ClientActionDependencies {
  readonly connection: DesktopConnection;
  readonly window: ClientWindow;
  readonly login: LoginEntry;
  /** Reads the state again and updates the tray and the window. */
  readonly refresh: () => Promise<void>;
}

function clientActions({
  connection,
  window,
  login,
  refresh,
}: ClientActionDependencies): Readonly<Partial<Record<TrayAction, () => void>>> {
  return {
    open() {
      window.show();
    },
    pause: () => void connection.pause(true).then(refresh, () => {}),
    resume: () => void connection.pause(false).then(refresh, () => {}),
    copyBaseUrl() {
      copyText(connection.url ?? '');
    },
    startAtLogin() {
      login.write(!login.read().on);
      void refresh();
    },
    logs: () => void shell.openPath(target.logsFolder ?? ''),
    stopService,
    leave,
  };
}

/** Ends the client. Without a tray area, this also happens when its window is closed, because it could not be reached any more. */
function leave(): void {
  app.quit();
}

function viewOf(reply: ServiceReply): ClientView {
  switch (reply.kind) {
    case 'silent':
      return 'not-running';
    case 'signed out':
      return 'sign-in';
    case 'state':
      return 'console';
  }
}

function trayView(
  reply: ServiceReply,
  texts: ClientTexts,
): Omit<ClientMenuView, 'startsAtLogin' | 'mayStop'> {
  switch (reply.kind) {
    case 'silent':
      return { status: 'unavailable', why: texts.notRunning, working: 0, waiting: 0 };
    case 'signed out':
      return {
        status: reply.why === undefined ? 'ready' : 'unavailable',
        why: reply.why,
        working: 0,
        waiting: 0,
      };
    case 'state': {
      const { status, why, working, waiting, account } = reply.state;
      return { status, why, working, waiting, isOperator: account.operator };
    }
  }
}

/** Stops the service as SIGTERM does: running jobs finish. */
function stopService(): void {
  const pid = dataFolderPid(target.data);
  if (pid !== undefined && canSignal(pid)) process.kill(pid, 'SIGTERM');
}

/** Returns whether this user owns the process. On Windows, the task of a service would start it again within a minute. */
function canSignal(pid: number | undefined): boolean {
  if (pid === undefined || process.platform === 'win32') return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Opens the session of the window. It keeps the preferences of the console, and reaches the service without a proxy. */
function openSession(): Session {
  const session = sessions.fromPartition('persist:console');
  void session.setProxy({ mode: 'direct' });
  session.setPermissionRequestHandler((_contents, permission, callback) => {
    callback(permission === 'clipboard-sanitized-write');
  });
  session.setPermissionCheckHandler((_contents, permission) => permission === 'clipboard-sanitized-write');
  session.setSpellCheckerLanguages([]);
  return session;
}

interface PageDependencies {
  readonly session: Session;
  readonly connection: DesktopConnection;
  readonly texts: ClientTexts;
  /** Resolves when the service has accepted or refused the credentials. */
  readonly onSignIn: () => Promise<void>;
}

function servePages({ session, connection, texts, onSignIn }: PageDependencies): void {
  session.protocol.handle(clientScheme, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/not-running') return notRunningPage(texts);
    if (request.method === 'POST') {
      const form = await request.formData();
      const text = (name: string) => {
        const value = form.get(name);
        return typeof value === 'string' ? value : '';
      };
      connection.signIn({ user: text('user'), key: text('key') });
      await onSignIn();
    }
    return signInPage(texts, connection.url ?? '', connection.isRefused);
  });
}

const id = createHash('sha256').update(target.data).digest('hex').slice(0, 12);
app.setPath('userData', join(app.getPath('appData'), 'platen-desktop', id));
app.disableHardwareAcceleration();
protocol.registerSchemesAsPrivileged([
  { scheme: clientScheme, privileges: { standard: true, secure: true } },
]);
app.on('window-all-closed', () => {});
nativeTheme.themeSource = 'system';
// A second client only shows the window of the first.
if (app.requestSingleInstanceLock())
  app
    .whenReady()
    .then(run)
    .catch(() => {
      app.exit(1);
    });
else app.quit();
