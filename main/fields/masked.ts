/** Masks secrets, and removes user names and passwords from addresses (RFC 3986, 3.2.1). */

export const mask = '***';

const userInfoOfUrl = /^(\s*[a-z][a-z\d+.-]*:\/\/)([^/?#]*)@/i;

/** For addresses without a scheme, such as a proxy's. A slash would belong to a path. */
const userInfoOfHost = /^(\s*)([^/?#\s@:]*:[^/?#\s]*)@/;

/** Removes the user info of a URL, and masks that of HOST:PORT. The whole value must be such an address. */
export function withoutUserInfo(value: string): string {
  return value.replace(userInfoOfUrl, '$1').replace(userInfoOfHost, `$1${mask}@`);
}

/** Returns the `user:password` that `withoutUserInfo` removes or masks; empty if there is none. */
export function userInfoOf(value: string): string {
  return (userInfoOfUrl.exec(value) ?? userInfoOfHost.exec(value))?.[2] ?? '';
}

/** Replaces the user info of all addresses inside a text. A quotation mark ends an address. */
export function withoutUserInfoInText(text: string, replacement = ''): string {
  return text.replace(/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#'"]*@/gi, `$1${replacement}`);
}
