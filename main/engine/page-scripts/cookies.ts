/**
 * Implements `document.cookie` for uploaded documents (`platen:` addresses), because Chromium supports cookies only for http and
 * https. Runs before the document's scripts.
 */

/**
 * Replaces `document.cookie` with a store in memory that lasts as long as the document. The cookies are never sent, because an
 * uploaded document has no server. Built-ins are read immediately, before the document's scripts can replace them.
 */
export function keepCookies(): void {
  if (location.protocol !== 'platen:') return;
  const limits = { cookies: 180, characters: 4096 };
  const jar = new Map<string, string>();
  const { Date, Number } = globalThis;
  /** Returns whether the attributes expire the cookie immediately, which deletes it (RFC 6265, 5.3). */
  const isExpired = (attributes: readonly string[]) => {
    const valueOf = (name: string) =>
      attributes
        .findLast((attribute) => attribute.toLowerCase().startsWith(`${name}=`))
        ?.slice(name.length + 1);
    const age = valueOf('max-age');
    if (age !== undefined) return Number(age) <= 0;
    const expires = valueOf('expires');
    return expires !== undefined && Date.parse(expires) <= Date.now();
  };
  const setCookie = (text: string) => {
    const [pair = '', ...attributes] = text.split(';').map((part) => part.trim());
    const equals = pair.indexOf('=');
    const name = equals < 0 ? '' : pair.slice(0, equals).trim();
    const value = pair.slice(equals + 1).trim();
    if (name + value === '' || pair.length > limits.characters) return;
    if (isExpired(attributes)) jar.delete(name);
    else if (
      !attributes.some((attribute) => attribute.toLowerCase() === 'httponly') &&
      (jar.has(name) || jar.size < limits.cookies)
    )
      jar.set(name, value);
  };
  const readCookies = () =>
    [...jar].map(([name, value]) => (name === '' ? value : `${name}=${value}`)).join('; ');
  Object.defineProperty(Document.prototype, 'cookie', {
    get: readCookies,
    set: (text: unknown) => {
      setCookie(String(text));
    },
    enumerable: true,
    configurable: true,
  });
}
