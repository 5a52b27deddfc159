/** Validates a URL as the user enters it, and suggests a correction. Pure functions. */

type UrlProblem = 'noScheme' | 'scheme' | 'blank' | 'broken';

/** Returns why a string is not a valid URL; undefined for a valid URL and for an empty string. */
export function problemWithUrl(text: string): UrlProblem | undefined {
  const address = text.trim();
  if (address === '') return undefined;
  if (/\s/.test(address)) return 'blank';
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(address)) return isOtherScheme(address) ? 'scheme' : 'noScheme';
  if (!/^https?:\/\//i.test(address)) return 'scheme';
  return URL.canParse(address) && new URL(address).hostname !== '' ? undefined : 'broken';
}

/**
 * Returns whether the text has a scheme without `//`: true for `mailto:` and `c:`, false for `localhost:8080`, where a port follows
 * the colon.
 */
function isOtherScheme(address: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(address) && !/^[a-z\d.-]+:\d/i.test(address);
}

/** Adds the missing scheme: http for this machine, https for all others. */
export function withScheme(text: string): string {
  const address = text.trim();
  return /^(localhost|127\.|\[::1\])/i.test(address) ? `http://${address}` : `https://${address}`;
}

const maxRecent = 8;

/** Adds a URL to the recent URLs: newest first, without duplicates, at most `maxRecent`. */
export function withRecent(recent: readonly string[], address: string): string[] {
  return [address, ...recent.filter((known) => known !== address)].slice(0, maxRecent);
}
