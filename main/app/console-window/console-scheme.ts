/** Defines the URL scheme and the session of the console window. The session is kept in memory and has no network access. */
import { session as sessions, type CustomScheme, type Session } from 'electron';
import { consoleFile } from './console-files.ts';
import { consoleOrigin } from '../native-bridge/contract.ts';

const scheme = 'platen-console';

/** The scheme is marked as secure because its pages can load only files of the console. */
export const consoleScheme: CustomScheme = {
  scheme,
  privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
};

/** Returns whether the URL has the origin of the console window. */
export function isConsoleAddress(url: string): boolean {
  return url.startsWith(`${consoleOrigin}/`);
}

/** Returns the session of the console window, which serves the files of `folder`. Call this once per process. */
export function openConsoleSession(folder: string): Session {
  const session = sessions.fromPartition('console');
  session.protocol.handle(scheme, ({ url, method }) =>
    method === 'GET' && isConsoleAddress(url) ? consoleFile(folder, url) : new Response('', { status: 405 }),
  );
  return session;
}
