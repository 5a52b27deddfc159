/** Masks secrets, and removes user names and passwords from addresses (RFC 3986, 3.2.1). */

export const mask = '***';

const userInfoOfUrl = /^(\s*[a-z][a-z\d+.-]*:\/\/)([^/?#]*)@/i;

/** For addresses without a scheme, such as a proxy's. A slash would belong to a path. */
const userInfoOfHost = /^(\s*)([^/?#\s@:]*:[^/?#\s]*)@/;

/** Removes the user info from a value that as a whole is an address or HOST:PORT. */
export function withoutUserInfo(value: string): string {
  return value.replace(userInfoOfUrl, '$1').replace(userInfoOfHost, `$1${mask}@`);
}

/** Returns the `user:password` that `withoutUserInfo` removes, or an empty string. */
export function userInfoOf(value: string): string {
  return (userInfoOfUrl.exec(value) ?? userInfoOfHost.exec(value))?.[2] ?? '';
}

/** Replaces the user info of all addresses inside a text. A quotation mark ends an address. */
export function withoutUserInfoInText(text: string, replacement = ''): string {
  return text.replace(/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#'"]*@/gi, `$1${replacement}`);
}
