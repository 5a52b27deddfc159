/** The URL scheme of the console window and its session, which is in memory and has no network access. */
import { session as sessions, type CustomScheme, type Session } from 'electron';
import { consoleFile } from './console-files.ts';
import { consoleOrigin } from '../native-bridge/contract.ts';

const scheme = 'platen-console';

/** The scheme counts as secure, because its pages can load only the files of the console. */
export const consoleScheme: CustomScheme = {
  scheme,
  privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
};

/** Whether the URL belongs to the console window. */
export function isConsoleAddress(url: string): boolean {
  return url.startsWith(`${consoleOrigin}/`);
}

/** Opens the session and serves the files of `folder`. Call it once per process. */
export function openConsoleSession(folder: string): Session {
  const session = sessions.fromPartition('console');
  session.protocol.handle(scheme, ({ url, method }) =>
    method === 'GET' && isConsoleAddress(url) ? consoleFile(folder, url) : new Response('', { status: 405 }),
  );
  return session;
}
