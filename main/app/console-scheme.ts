/** The scheme of the tray's window, and its session: in memory, its own, and without any way to a network. */
import { session as sessions, type CustomScheme, type Session } from 'electron';
import { consoleFile } from './console-files.ts';
import { consoleOrigin } from './desk-channels.ts';

const scheme = 'platen-console';

/** `secure`, because all it can load is its own. */
export const consoleScheme: CustomScheme = {
  scheme,
  privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
};

/** Whether it is an address of the window's own. */
export function isConsoleAddress(url: string): boolean {
  return url.startsWith(`${consoleOrigin}/`);
}

/** Serves the files of `folder`; once in the life of the application. */
export function openConsoleSession(folder: string): Session {
  const session = sessions.fromPartition('console');
  session.protocol.handle(scheme, ({ url, method }) =>
    method === 'GET' && isConsoleAddress(url) ? consoleFile(folder, url) : new Response('', { status: 405 }),
  );
  return session;
}
