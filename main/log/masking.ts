/** Keeps credentials out of logs. */

/** An address without user and password, wherever in it they could be read from (RFC 3986, 3.2.1). */
export function withoutCredentials(url: string): string {
  return url.replace(/^(\s*[a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');
}
