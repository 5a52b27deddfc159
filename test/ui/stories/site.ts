/** Starts the small web site that the stories convert by URL. */
import { serveWeb, type WebServer } from '../../support/servers/web-server.ts';

export function openSite(): Promise<WebServer> {
  return serveWeb({
    '/dashboard': '<title>Dashboard</title><h1>From the little site</h1>',
    // Never responds.
    '/slow': () => {},
  });
}
