/** Puts `cookies` into the jar of the window's session, where the page at an address can see them too. */
import { isIP } from 'node:net';
import { Failure } from '../../failure/failure.ts';
import type { Loading, Work } from '../loading.ts';

/** @throws Failure valueNotAllowed for a cookie no browser takes */
export function setCookies(loading: Loading): Work | undefined {
  const { source, run } = loading;
  const { cookies } = run.job.options;
  if (cookies === undefined || source.kind !== 'remote') return undefined;
  return () => putInJar(loading, cookies, source.url);
}

async function putInJar(
  { window, run }: Loading,
  cookies: readonly { readonly name: string; readonly value: string }[],
  { origin, hostname, protocol }: URL,
): Promise<void> {
  const domain = domainFor(hostname);
  await Promise.all(
    cookies.map(async ({ name, value }) => {
      const secure = protocol === 'https:';
      // A name with this prefix promises that the cookie has no domain (RFC 6265bis, 4.1.3.2).
      const shared = domain !== undefined && !/^__Host-/i.test(name);
      const cookie = { url: `${origin}/`, path: '/', name, value, secure, ...(shared && { domain }) };
      await window.seat.session.cookies.set(cookie).catch((cause: unknown) => {
        const sentence = `No browser would send the cookie '${name}' of cookies to this address.`;
        throw new Failure('valueNotAllowed', sentence, { cause });
      });
    }),
  );
  run.log.because(`${cookies.length} cookie${cookies.length === 1 ? '' : 's'} set for ${domain ?? hostname}`);
}

/** Undefined: for this host alone, because nothing is below an address or a name without a dot. */
function domainFor(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0 || !bare.includes('.')) return undefined;
  return hostname.replace(/^www\.(?=.*\.)/, '');
}
