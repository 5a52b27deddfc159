/** The target of a request (RFC 9112, 3.2): clients that take the service for a proxy send a whole address. */

/**
 * Cuts the target down to path and query, so that it is routed by its path; `originalUrl` keeps it as it came. Whoever it
 * names, nothing is passed on to anybody.
 */
export function inOriginForm<R extends { url?: string | undefined }>(request: R): R {
  const target = request.url ?? '/';
  return Object.assign(request, { originalUrl: target, url: originForm(target) });
}

/**
 * By hand, because addresses that cannot be parsed have a path too. A fragment, which is not sent (RFC 9110, 4.2.5), and bytes
 * that no address has would make Express parse it as an address, in which `//` is no path.
 */
function originForm(target: string): string {
  const rest = target
    .replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
    .replace(/#.*$/s, '')
    .replaceAll(/[^!-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
}

/** True when Host only repeats the address in the target: it names what is behind the proxy, not where we are. */
export function namesWhatIsBehind(host: string, target: string): boolean {
  const [address, origin] = [target, `http://${host}`].map((text) =>
    URL.canParse(text) ? new URL(text).host : undefined,
  );
  return address !== undefined && address === origin;
}
