/** Masks secrets, and removes user names and passwords from addresses (RFC 3986, 3.2.1). */

export const mask = '***';

const userInfoOfUrl = /^(\s*[a-z][a-z\d+.-]*:\/\/)([^/?#]*)@/i;

/** Matches the user info in HOST:PORT, such as the address of a proxy. A slash would belong to a path. */
const userInfoOfHost = /^(\s*)([^/?#\s@:]*:[^/?#\s]*)@/;

/** Removes the user info from a URL, and masks the user info in HOST:PORT. The whole value must be such an address. */
export function withoutUserInfo(value: string): string {
  return value.replace(userInfoOfUrl, '$1').replace(userInfoOfHost, `$1${mask}@`);
}

/** Returns the `user:password` that `withoutUserInfo` removes or masks; empty if there is none. */
export function userInfoOf(value: string): string {
  return (userInfoOfUrl.exec(value) ?? userInfoOfHost.exec(value))?.[2] ?? '';
}

/** Replaces the user info in all URLs inside a string. A quotation mark ends a URL. */
export function withoutUserInfoInText(text: string, replacement = ''): string {
  return text.replace(/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#'"]*@/gi, `$1${replacement}`);
}
