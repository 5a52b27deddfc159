/** What stands in place of a secret, and how an address is told without its user and password (RFC 3986, 3.2.1). Pure. */

export const mask = '***';

const ofAddress = /^(\s*[a-z][a-z\d+.-]*:\/\/)([^/?#]*)@/i;

/** A scheme may have been forgotten, and a proxy's address has none; a slash would be of a path. */
const ofHost = /^(\s*)([^/?#\s@:]*:[^/?#\s]*)@/;

/** A value that is an address, or HOST:PORT, from its beginning to its end. */
export function withoutUserInfo(value: string): string {
  return value.replace(ofAddress, '$1').replace(ofHost, `$1${mask}@`);
}

/** The `user:password` that `withoutUserInfo` takes out of an address; empty where there is none. */
export function userInfoOf(value: string): string {
  return (ofAddress.exec(value) ?? ofHost.exec(value))?.[2] ?? '';
}

/** Any text, and the addresses that are quoted in it; a quotation mark ends an address there. */
export function withoutQuotedUserInfo(text: string, instead = ''): string {
  return text.replace(/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#'"]*@/gi, `$1${instead}`);
}
